import { type Authenticator, bearerToken } from '../shared/http/authenticate.ts';
import { Problem } from '../shared/http/problem.ts';
import type { Clock } from '../shared/ports/clock.ts';
import { ALL_SCOPES, type Principal } from '../shared/principal.ts';
import type { AccessTokenVerifier } from './domain/access-token.ts';
import { looksLikeApiKey } from './domain/api-key.ts';
import {
  isCookieOf,
  isCsrfTokenOf,
  isSessionOf,
  type LiveSessions,
  parseCookie,
  type Session,
} from './domain/session.ts';
import type { User } from './domain/user.ts';
import { CSRF_COOKIE, CSRF_HEADER, SESSION_COOKIE } from './session-cookies.ts';

/**
 * Access tokens. The session and the membership are read with each request, in one round trip: a member who was removed, a
 * new password, a logout and a change of role all count from the next request on.
 */
export function jwtAuthenticator(verifier: AccessTokenVerifier, sessions: LiveSessions): Authenticator {
  return {
    find(request) {
      const text = bearerToken(request);
      return text === null || looksLikeApiKey(text) ? null : { rank: 'bearer', text };
    },
    async verify(text) {
      const claims = await verifier.verify(text);
      const live = claims && (await sessions.findWithUser(claims.sessionId, claims.userId));
      if (!live || !isSessionOf(live.session, live.user) || live.user.workspaceId !== claims.workspaceId) return null;
      return principalOf(live.user, live.session);
    },
  };
}

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Session cookies of browsers, which send them from any site's page: a call that changes something must prove by a header that its page
 * could read the accompanying cookie.
 */
export function cookieAuthenticator(sessions: LiveSessions, clock: Clock): Authenticator {
  return {
    find({ cookies: { [SESSION_COOKIE]: text } }) {
      return text ? { rank: 'cookie', text } : null;
    },
    async verify(text, { method, headers, cookies }) {
      const presented = parseCookie(text);
      const live = presented && (await sessions.findWithUser(presented.sessionId, presented.userId));
      if (!live || !isSessionOf(live.session, live.user)) return null;
      if (!isCookieOf(live.session, presented.secret, clock.now())) return null;
      const token = headers[CSRF_HEADER] ?? '';
      if (!SAFE_METHODS.includes(method) && !(token === cookies[CSRF_COOKIE] && isCsrfTokenOf(text, token)))
        throw new Problem(
          403,
          'csrf_token_invalid',
          `This call changes something, and is made by cookie: send the value of the cookie ${CSRF_COOKIE} in the header ${CSRF_HEADER}.`,
        );
      return principalOf(live.user, live.session);
    },
  };
}

/** A person has every scope; the role says what they may do. */
function principalOf(
  { userId, workspaceId, role, awaitsConfirmation }: User,
  { sessionId, mustEnrol }: Session,
): Principal {
  const waiting = { ...(awaitsConfirmation && { awaitsConfirmation }), ...(mustEnrol && { mustEnrol }) };
  return { kind: 'user', id: userId, workspaceId, role, scopes: ALL_SCOPES, sessionId, ...waiting };
}
