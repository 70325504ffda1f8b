import { errorFormats } from './error-formats.ts';
import { type BodyLimit, bodyLimitOf, type Route, type RouteResponse } from './route.ts';

const RETRY_AFTER = { 'retry-after': 'Seconds after which to ask again' } as const;

/**
 * Headers of a route with rate limits, of the tightest of them: the plain form that drafts 03 to 07 of
 * draft-ietf-httpapi-ratelimit-headers gave them, which clients read; later drafts put them into one structured field.
 */
const LIMIT_HEADERS = {
  'ratelimit-limit': 'Requests that a full allowance holds',
  'ratelimit-remaining': 'Requests left of it',
  'ratelimit-reset': 'Seconds until it is full again',
} as const;

/** The header of a response that an earlier call has had already. */
export const replayedHeader = {
  'idempotent-replayed': '"true" when this is the response to an earlier call with the same Idempotency-Key',
} as const;

/** An error that says when it makes sense to try again. */
export function retryable(description: string): RouteResponse {
  return { description, headers: RETRY_AFTER };
}

/** Errors that a route can answer for what it is; its own row of the table may say more of them. */
export function impliedErrors(route: Route): Readonly<Record<number, RouteResponse>> {
  const errors: Record<number, RouteResponse> = {
    429: {
      description: 'rate_limited: too many requests; Retry-After says in how many seconds to come back',
      headers: { ...(!route.isUnlimited && LIMIT_HEADERS), ...RETRY_AFTER },
    },
    500: { description: 'internal_error: a fault of ours; the request id names it' },
    504: { description: 'timeout: the function ran out of time' },
  };
  const tell = (status: number, description: string) => {
    errors[status] = { description };
  };
  if (route.body || route.query || route.params || route.headers)
    tell(400, 'invalid_request: the message names every wrong field');
  if (route.auth.length > 0) tell(401, 'invalid_key: the credential is missing or invalid');
  if (route.scope === 'all') tell(403, 'forbidden: the API key is narrowed to some services');
  else if (route.scope) tell(403, `forbidden: the credential lacks the scope ${route.scope}`);
  if (route.role) tell(403, `forbidden: the principal is less than ${route.role}`);
  if (route.path.includes('{')) tell(404, 'not_found: unknown, expired, or owned by another workspace');
  if (route.body || route.method === 'POST') tell(413, tooLarge(bodyLimitOf(route)));
  if (route.body && errorFormats[route.errors].tellsRulesApart)
    tell(422, 'invalid_request: a value is not among the allowed ones, or breaks a rule; the message names the field');
  if (route.body) tell(415, 'unsupported_media_type: the body is compressed');
  return errors;
}

function tooLarge({ maxBytes, advice }: BodyLimit): string {
  return `request_too_large: the body has more than ${maxBytes / 1024} KB. ${advice}`.trim();
}

/** All responses of a route: its own, and the implied ones with what its own row adds to them. */
export function responsesOf(route: Route): Readonly<Record<number, RouteResponse>> {
  const implied = impliedErrors(route);
  const own = Object.entries(route.responses).map(([status, response]): [string, RouteResponse] => {
    const limitHeaders = !route.isUnlimited && Number(status) < 300 ? LIMIT_HEADERS : {};
    const headers = { ...limitHeaders, ...implied[Number(status)]?.headers, ...response.headers };
    return [status, { ...response, ...(Object.keys(headers).length > 0 && { headers }) }];
  });
  return { ...implied, ...Object.fromEntries(own) };
}
