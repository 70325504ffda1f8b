import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod';
import { headersOf, type InputPart } from './api-request.ts';
import { Problem } from './problem.ts';
import type { Route } from './route.ts';

const UNKNOWN = 'is not known here';

/** The parts of a request that the route has a schema for, parsed. @throws Problem 400 that names every wrong field. */
export function parseInput(route: Route, event: APIGatewayProxyEvent): Partial<Record<InputPart, unknown>> {
  const parts: Partial<Record<InputPart, unknown>> = {};
  if (route.params) parts.params = parse(route.params, event.pathParameters ?? {}, 'the path');
  if (route.query) parts.query = parse(route.query, event.queryStringParameters ?? {}, 'the query');
  if (route.headers) parts.headers = parse(route.headers, headersOf(event), 'the headers');
  if (route.body) parts.body = parse(route.body, jsonBody(event), 'the body');
  return parts;
}

function jsonBody({ body, isBase64Encoded }: APIGatewayProxyEvent): unknown {
  if (body === null || body === undefined || body === '')
    throw new Problem(400, 'invalid_request', 'The request has no body. Send a JSON object.');
  try {
    return JSON.parse(isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body);
  } catch (cause) {
    throw new Problem(400, 'invalid_request', 'The body is not JSON. Check its quotes, commas and encoding (UTF-8).', {
      cause,
    });
  }
}

function parse(schema: z.ZodType, input: unknown, place: string): unknown {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) {
    // An unknown member is reported at its parent; the member is what the caller must find.
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [''];
    for (const name of names) {
      const field = [...issue.path, name].filter((step) => step !== '').join('.') || place;
      fields[field] ??= issue.code === 'unrecognized_keys' ? UNKNOWN : messageOf(issue);
    }
  }
  throw wrongFields(fields, place);
}

/** The problem that a field is which only some deployments know. */
export function unknownField(field: string, place: string): Problem {
  return wrongFields({ [field]: UNKNOWN }, place);
}

function wrongFields(fields: Readonly<Record<string, string>>, place: string): Problem {
  const list = Object.entries(fields).map(([field, message]) => `${field}: ${message}`);
  return new Problem(400, 'invalid_request', `Something is wrong in ${place}. ${list.join('; ')}.`, {
    details: { fields },
  });
}

function messageOf(issue: z.core.$ZodIssue): string {
  return issue.message.replace(/^Invalid input: /, '');
}
