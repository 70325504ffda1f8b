import type { OutgoingHttpHeaders } from 'node:http';

/** An answer of the gateway itself, for requests that reach no handler or whose handler failed. */
export class GatewayProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: OutgoingHttpHeaders;

  constructor(status: number, code: string, message: string, headers: OutgoingHttpHeaders = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const problems = {
  malformedUrl: () =>
    new GatewayProblem(400, 'invalid_request', 'The URL is malformed: check its percent-encoding and its path'),
  unknownHost: (host: string) =>
    new GatewayProblem(
      421,
      'unknown_host',
      `This service is not ${host}. Call it as 127.0.0.1 or localhost, or start it with HOST=0.0.0.0 to have it answer to any name`,
    ),
  unknownPath: (path: string) =>
    new GatewayProblem(404, 'not_found', `There is no resource at ${path}; GET /api/v1/openapi.json lists them all`),
  otherMethod: (method: string, allow: readonly string[]) =>
    new GatewayProblem(405, 'method_not_allowed', `${method} is not allowed here; use ${allow.join(', ')}`, {
      allow: allow.join(', '),
    }),
  bodyTooLarge: (maxBodyBytes: number) =>
    new GatewayProblem(
      413,
      'request_too_large',
      `The request body may have at most ${maxBodyBytes} bytes. Upload a larger image to the address that POST /api/v1/uploads gives, and send imageUrl instead of image`,
    ),
  busy: () =>
    new GatewayProblem(503, 'busy', 'Too many large requests are being processed. Send this one again in a moment', {
      'retry-after': '2',
    }),
  // API Gateway's own words for both.
  timedOut: () => new GatewayProblem(504, 'timeout', 'Endpoint request timed out'),
  handlerFailed: () => new GatewayProblem(502, 'internal_error', 'Internal server error'),
} as const;
