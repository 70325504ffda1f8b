import { csrfTokenOf } from './domain/session.ts';

export const SESSION_COOKIE = 'tripod_session';
/** The same token that the header has to carry, where scripts of the page can read it. */
export const CSRF_COOKIE = 'tripod_csrf';
export const CSRF_HEADER = 'x-csrf-token';

export interface CookieOptions {
  /** False where the service speaks plain HTTP: on one machine. */
  readonly isSecure: boolean;
}

/** `Set-Cookie` values of a session that starts. */
export function sessionCookies(cookie: string, maxAgeSeconds: number, options: CookieOptions): string[] {
  return [
    setCookie(SESSION_COOKIE, cookie, maxAgeSeconds, { ...options, isHttpOnly: true }),
    setCookie(CSRF_COOKIE, csrfTokenOf(cookie), maxAgeSeconds, { ...options, isHttpOnly: false }),
  ];
}

/** `Set-Cookie` values that make a browser forget the session. */
export function clearedCookies(options: CookieOptions): string[] {
  return [
    setCookie(SESSION_COOKIE, '', 0, { ...options, isHttpOnly: true }),
    setCookie(CSRF_COOKIE, '', 0, { ...options, isHttpOnly: false }),
  ];
}

/** Binds a sign-in to the browser that started it. Each has its own, so that two tabs can sign in side by side. */
export const signInCookie = (state: string): string => `tripod_sign_in_${state.slice(0, 8)}`;

/** The `Set-Cookie` value of a sign-in that starts; it ends with `maxAgeSeconds` 0. */
export function setSignInCookie(state: string, secret: string, maxAgeSeconds: number, options: CookieOptions): string {
  return setCookie(signInCookie(state), secret, maxAgeSeconds, { ...options, isHttpOnly: true });
}

/** All values are base64url: there is nothing in them that would need quoting. */
function setCookie(
  name: string,
  value: string,
  maxAgeSeconds: number,
  { isSecure, isHttpOnly }: CookieOptions & { readonly isHttpOnly: boolean },
): string {
  const attributes = ['Path=/', `Max-Age=${maxAgeSeconds}`, 'SameSite=Lax'];
  return [`${name}=${value}`, ...attributes, ...(isHttpOnly ? ['HttpOnly'] : []), ...(isSecure ? ['Secure'] : [])].join(
    '; ',
  );
}
