import type * as z from 'zod';
import { boundedJson, TooMuchJson } from '../bounded-json.ts';
import { largeStep } from '../large-steps.ts';
import type { HttpRequest, InputPart, RawBody } from './api-request.ts';
import { errorFormats } from './error-formats.ts';
import { Problem } from './problem.ts';
import { bodyLimitOf, type Route } from './route.ts';

/**
 * The parts of a request that the route has a schema for, parsed.
 * @param tenant whose turn it is to have a large body parsed.
 * @throws Problem 400 that names every wrong field, 413, 415
 */
export async function parseInput(
  route: Pick<Route, InputPart | 'errors' | 'bodyLimit'>,
  { pathParameters, queryParameters, headers, body, sourceAddress }: HttpRequest,
  tenant = sourceAddress,
): Promise<Partial<Record<InputPart, unknown>>> {
  const parts: Partial<Record<InputPart, unknown>> = {};
  if (route.params) parts.params = parse(route.params, pathParameters, 'the path');
  if (route.query) parts.query = parse(route.query, queryParameters, 'the query');
  if (route.headers) parts.headers = parse(route.headers, headers, 'the headers');
  if (route.body) {
    requireNoCoding(headers['content-encoding']);
    const { maxBytes } = bodyLimitOf(route);
    // The gateway of one machine counts bytes; that of AWS lets any route have what Lambda takes.
    if (body.text.length > (body.isBase64 ? Math.ceil(maxBytes / 3) * 4 : maxBytes)) throw bodyTooLarge(route);
    const json = await largeStep(body.text.length, tenant, () => jsonBody(body));
    parts.body = parse(route.body, json, 'the body', bodyStatus(route.errors));
  }
  return parts;
}

function requireNoCoding(coding = 'identity'): void {
  if (coding.trim().toLowerCase() !== 'identity') throw compressed(`in the content-encoding ${coding.slice(0, 100)}`);
}

function jsonBody(body: RawBody): unknown {
  if (body.text === '') throw new Problem(400, 'invalid_request', 'The request has no body. Send a JSON object.');
  // Windows tools start a file with a byte order mark.
  const text = (body.isBase64 ? utf8Text(body.bytes()) : body.text).replace(/^\ufeff/, '');
  try {
    return soundJson(boundedJson(text));
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    if (cause instanceof TooMuchJson)
      throw new Problem(413, 'request_too_large', `The body has ${cause.message}. Send it in parts.`, { cause });
    throw new Problem(400, 'invalid_request', 'The body is not JSON. Check its quotes, commas and braces.', { cause });
  }
}

const UNKNOWN = 'is not known here';
const PROTO = '__proto__';
/** @throws Problem 400 for a name that schemas pass over in silence, and for text that no store and no program can be given. */
function soundJson(json: unknown): unknown {
  requireSound('', json);
  const left = [json];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (value === null || typeof value !== 'object') continue;
    // Several times as fast as a reviver of JSON.parse, for a hundred thousand values.
    const names = Array.isArray(value) ? null : Object.keys(value);
    const members: unknown[] = names === null ? (value as unknown[]) : Object.values(value);
    for (let at = 0; at < members.length; at++) {
      const member = members[at];
      if (names !== null || typeof member === 'string') requireSound(names?.[at] ?? String(at), member);
      if (member !== null && typeof member === 'object') left.push(member);
    }
  }
  return json;
}

function requireSound(name: string, value: unknown): void {
  if (name === PROTO) throw unknownField(PROTO, 'the body');
  if (!name.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) throw halfOfPair(name);
}

function halfOfPair(name: string): Problem {
  const message = `The body has half of a surrogate pair in ${JSON.stringify(name.slice(0, 100))}. Send both halves, as in \\ud83d\\ude00.`;
  return new Problem(400, 'invalid_request', message);
}

/** @throws Problem 400: a replacement character would otherwise be stored, or run, in place of the client's text. */
function utf8Text(bytes: Buffer): string {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) throw compressed('with gzip');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Problem(400, 'invalid_request', 'The body is not valid UTF-8. Send JSON, encoded in UTF-8.', { cause });
  }
}

export function bodyTooLarge(route: Pick<Route, 'bodyLimit'>): Problem {
  const { maxBytes, advice } = bodyLimitOf(route);
  const message = `The request body may have at most ${maxBytes} bytes. ${advice}`;
  return new Problem(413, 'request_too_large', message.trim());
}

function compressed(how: string): Problem {
  return new Problem(415, 'unsupported_media_type', `The body is compressed, ${how}. Send it as plain JSON.`);
}

/** @param place of the input, for the message. @throws Problem 400 that names every wrong field */
export function parse(schema: z.ZodType, input: unknown, place: string, statusOf = always400): unknown {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  // No plain object: a client may name a field `constructor` or `__proto__`.
  const fields = new Map<string, string>();
  const broken = new Map<string, z.core.$ZodIssue>();
  let more = 0;
  for (const issue of parsed.error.issues) {
    // An unknown member is reported at its parent; the member is what the client must find.
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [''];
    for (const name of names) {
      if (fields.size === MAX_WRONG_FIELDS) {
        more++;
        continue;
      }
      const field = [...issue.path, name].filter((step) => step !== '').join('.') || place;
      if (fields.has(field)) continue;
      fields.set(field, messageOf(issue));
      broken.set(field, issue);
    }
  }
  throw wrongFields(fields, place, { status: statusOf(parsed.error.issues, input), issues: broken, more });
}

/** The problem of a field that only some deployments know. */
export function unknownField(field: string, place: string): Problem {
  return wrongFields(new Map([[field, UNKNOWN]]), place);
}

function wrongFields(
  fields: ReadonlyMap<string, string>,
  place: string,
  {
    status = 400,
    issues,
    more = 0,
  }: { readonly status?: number; readonly issues?: Problem['issues']; readonly more?: number } = {},
): Problem {
  const list = [...fields].map(([field, message]) => `${field}: ${message}`);
  if (more > 0) list.push(`and ${more} more fields`);
  return new Problem(status, 'invalid_request', `Something is wrong in ${place}. ${list.join('; ')}.`, {
    details: { fields: Object.fromEntries(fields) },
    ...(issues && { issues }),
  });
}

/** More help no one. */
const MAX_WRONG_FIELDS = 100;

const always400: StatusOf = () => 400;

/** Status of an invalid body, by its issues. */
type StatusOf = (issues: readonly z.core.$ZodIssue[], body: unknown) => number;

function bodyStatus(errors: Route['errors']): StatusOf {
  if (!errorFormats[errors].tellsRulesApart) return always400;
  return (issues, body) => (issues.every((issue) => breaksRule(issue, body)) ? 422 : 400);
}

/** A value that is not among the allowed ones, a rule between fields, or a wrong value within a nested object. */
function breaksRule({ code, path }: z.core.$ZodIssue, body: unknown): boolean {
  if (code === 'custom') return true;
  if (code === 'unrecognized_keys' || valueAt(body, path) === undefined) return false;
  return code === 'invalid_value' || path.length > 1;
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown> | undefined)?.[step], body);
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return UNKNOWN;
  return issue.message.replace(/^Invalid input: /, '');
}
