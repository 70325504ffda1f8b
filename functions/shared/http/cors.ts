import type { Route } from './route.ts';

/** Headers that a page of an allowed origin may send. `*` covers every header except authorization. */
export const CORS_REQUEST_HEADERS: readonly string[] = ['authorization', '*'];
/** Seconds for which a browser need not ask again: as long as any of them remembers. */
export const PREFLIGHT_MAX_AGE_SECONDS = 7_200;

export type AllowedOrigins = readonly string[] | 'any';

/** Whether pages of every origin may ask: visitors with a public token come from the sites that embed a chatbot. */
export function isOpenToPages({ auth }: Pick<Route, 'auth'>): boolean {
  return auth.includes('path-token');
}

/**
 * Headers that let a page of another origin read a response. Without credentials: cookies stay with the pages of the service's own
 * origin, a page elsewhere sends an access token or a key, so that no origin gets what its visitors did not give it.
 * @param origin header of the request. @param allowed origins by configuration; by default none. 'any' where the credential
 * is a public token, which carries its own list of origins.
 */
export function corsHeaders(origin: string | undefined, allowed: AllowedOrigins): Record<string, string> {
  if (allowed === 'any') return { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };
  if (allowed.length === 0) return {};
  // Caches must not serve one origin what another was answered.
  if (origin === undefined || !allowed.includes(origin)) return { vary: 'origin' };
  return { vary: 'origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': '*' };
}

/** The answer to a browser that asks before it sends. @param methods of the path. */
export function preflightHeaders(
  origin: string | undefined,
  allowed: AllowedOrigins,
  methods: readonly string[],
): Record<string, string> {
  const headers = corsHeaders(origin, allowed);
  if (headers['access-control-allow-origin'] === undefined) return headers;
  return {
    ...headers,
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': CORS_REQUEST_HEADERS.join(', '),
    'access-control-max-age': String(PREFLIGHT_MAX_AGE_SECONDS),
  };
}
