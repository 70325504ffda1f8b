import type { Route } from '../../shared/http/route.ts';

/** Statuses that a route can answer for what it is, beside those that its own row of the table names. */
export function commonAnswers(route: Route): Readonly<Record<number, string>> {
  const answers: Record<number, string> = {
    429: 'Too many requests; `Retry-After` says in how many seconds to come back',
    500: 'Something failed that is not your fault; quote `x-request-id` when you report it',
  };
  if (route.body || route.query || route.params) answers[400] = 'The request is not valid; the message names the field';
  if (route.auth === 'api-key') answers[401] = 'The API key is missing or not valid';
  if (route.scope) answers[403] = `The API key lacks the scope \`${route.scope}\``;
  if (route.role) answers[403] = 'The API key cannot act as the owner';
  if (route.path.includes('{')) answers[404] = 'There is none, or it belongs to another workspace';
  if (route.body) {
    answers[413] = 'The body is too large';
    answers[415] = 'The body is not JSON, or holds a type that is not supported';
  }
  return answers;
}

/** The envelope of specification 2; the endpoints of specification 1 add `error`. */
export const errorSchema = {
  type: 'object',
  required: ['data', 'status', 'code', 'message'],
  properties: {
    data: { type: 'null' },
    status: { type: 'string', const: 'error' },
    code: { type: 'integer', description: 'The HTTP status' },
    message: { type: 'string', description: 'What was wrong, which field, what to do' },
    error: {
      type: 'object',
      required: ['code', 'message', 'requestId'],
      properties: {
        code: { type: 'string', description: 'Stable, for programs', examples: ['invalid_key', 'not_found'] },
        message: { type: 'string' },
        requestId: { type: 'string' },
        details: { type: 'object', additionalProperties: true },
      },
    },
  },
} as const;

export const commonHeaders = {
  'x-request-id': { description: 'Names this request in our logs', schema: { type: 'string' } },
} as const;

export const rateLimitHeaders = {
  'Retry-After': { description: 'Seconds until another request may pass', schema: { type: 'integer', minimum: 1 } },
} as const;
