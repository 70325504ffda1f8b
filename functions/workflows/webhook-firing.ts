import { boundedJson } from '../shared/bounded-json.ts';
import type { RawBody } from '../shared/http/api-request.ts';
import { Problem } from '../shared/http/problem.ts';
import type { Json, JsonObject } from './domain/graph/graph.ts';
import type { Firing } from './domain/triggers/triggered-run.ts';

/** Headers that do not concern a workflow. */
const HIDDEN = ['authorization', 'cookie', 'x-api-key', 'webhook-signature', 'svix-signature'];
const MAX_KEY_LENGTH = 255;

/**
 * The values of a webhook's request.
 * @throws Problem 400 if the body does not match its content-type
 */
export function webhookFiring(
  triggerId: string,
  {
    headers,
    params,
    body,
  }: {
    readonly headers: Readonly<Record<string, string>>;
    readonly params: Readonly<Record<string, string | undefined>>;
    readonly body: RawBody;
  },
): Firing {
  const id = headers['webhook-id'] ?? headers['svix-id'] ?? headers['idempotency-key'];
  const shown = Object.entries(headers).filter(([name]) => !HIDDEN.includes(name));
  return {
    key: id ? `webhook ${triggerId} ${id.slice(0, MAX_KEY_LENGTH)}` : null,
    values: {
      body: bodyOf(body, headers['content-type'] ?? ''),
      headers: Object.fromEntries(shown),
      params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value ?? ''])),
    },
  };
}

function bodyOf(body: RawBody, type: string): Json {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body.bytes());
  } catch {
    throw new Problem(400, 'invalid_request', 'The body is not valid UTF-8. Send text, or the address of a file.');
  }
  if (text.trim() === '') return null;
  if (type.includes('x-www-form-urlencoded')) return formOf(text);
  if (type !== '' && !type.includes('json')) return text;
  try {
    return boundedJson(text) as Json;
  } catch {
    if (type === '') return text;
    throw new Problem(400, 'invalid_request', 'The body is not a valid JSON, though its content-type says so.');
  }
}

function formOf(text: string): JsonObject {
  return Object.fromEntries(new URLSearchParams(text));
}
