import { Problem } from '../functions/shared/http/problem.ts';

/** Errors of the gateway itself, for requests that reach no handler or whose handler failed. */
export const problems = {
  malformedUrl: () =>
    new Problem(400, 'invalid_request', 'The URL is malformed: check its percent-encoding and its path'),
  severalHosts: () => new Problem(400, 'invalid_request', 'The request has several Host headers. Send one'),
  unknownHost: (host: string) =>
    new Problem(
      421,
      'unknown_host',
      `This service is not ${host}. Call it as 127.0.0.1 or localhost, or start it with HOST=0.0.0.0 to have it answer to any name`,
    ),
  unknownPath: (path: string) =>
    new Problem(404, 'not_found', `There is no resource at ${path}; GET /api/v1/openapi.json lists them all`),
  otherMethod: (method: string, allow: readonly string[]) =>
    new Problem(405, 'method_not_allowed', `${method} is not allowed here; use ${allow.join(', ')}`, {
      headers: { allow: allow.join(', ') },
    }),
  busy: () =>
    new Problem(503, 'busy', 'Too many large requests are being processed. Send this one again in a moment', {
      headers: { 'retry-after': '2' },
    }),
  // API Gateway's own words for both.
  timedOut: () => new Problem(504, 'timeout', 'Endpoint request timed out'),
  handlerFailed: () => new Problem(502, 'internal_error', 'Internal server error'),
} as const;
