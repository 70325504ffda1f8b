import type * as z from 'zod';
import type { HttpRequest } from '../shared/http/api-request.ts';
import type { WholeReply } from '../shared/http/reply.ts';
import type { browserHeaders } from './auth-schemas.ts';
import type { SessionClient } from './domain/session.ts';
import { type CookieOptions, sessionCookies } from './session-cookies.ts';

/**
 * Whether a call comes from a browser, and of a page that may get a session cookie: one of this service, or of an origin that
 * may call it. Browsers name the page's origin; programs have no reason to. Another site's page must not get to log its
 * visitors in to an account of its choice.
 */
export function isBrowser(
  { origin, 'sec-fetch-site': site }: z.output<typeof browserHeaders>,
  { baseUrl, allowedOrigins }: { readonly baseUrl: string; readonly allowedOrigins: readonly string[] },
): boolean {
  // The page's own address may differ from ours: a content delivery network is in front of both.
  if (site === 'same-origin' || origin === undefined) return site === 'same-origin';
  return origin === URL.parse(baseUrl)?.origin || allowedOrigins.includes(origin);
}

/** The client of a new session, as its user is shown it later. */
export function clientOf({
  userAgent,
  sourceAddress: address,
}: Pick<HttpRequest, 'userAgent' | 'sourceAddress'>): SessionClient {
  return { userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null, address };
}

const MAX_USER_AGENT_LENGTH = 300;

/** Adds the cookies of a new session to a reply, where the client is a browser. */
export function withSession(
  reply: WholeReply,
  cookie: string | null,
  { maxAgeSeconds, ...options }: CookieOptions & { readonly maxAgeSeconds: number },
): WholeReply {
  return cookie === null ? reply : { ...reply, cookies: sessionCookies(cookie, maxAgeSeconds, options) };
}
