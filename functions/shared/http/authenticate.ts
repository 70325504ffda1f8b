import { ALL_SCOPES, type Principal, type Role } from '../principal.ts';
import type { HttpRequest } from './api-request.ts';
import { Problem } from './problem.ts';
import type { Credential, Route } from './route.ts';

/** Where a credential was found, strongest first: a bad one is refused, never passed over for a weaker one. */
const RANKS = ['path', 'signature', 'bearer', 'header', 'cookie'] as const;
export type Rank = (typeof RANKS)[number];

export interface FoundCredential {
  readonly rank: Rank;
  readonly text: string;
}

/** The caller of a credential before it is checked, as it was when it was valid. Workspaces of credentials never change. */
export type KnownCaller = Pick<Principal, 'id' | 'kind' | 'workspaceId'>;

/** One kind of credential: adding a kind is adding one of these. */
export interface Authenticator {
  /** The credential of this kind that the request carries; null when it carries none. */
  find(request: HttpRequest): FoundCredential | null;
  /** The caller of a credential that was valid before in this process, and may not be any more; null for any other. */
  known?(text: string): KnownCaller | null;
  /** @returns null for one that is malformed, unknown, expired or revoked: clients must not tell these apart. */
  verify(text: string, request: HttpRequest): Promise<Principal | null>;
}

export type Authenticators = Readonly<Partial<Record<Credential, Authenticator>>>;

/** The authenticators of a route's credentials. @throws Error if one is missing. */
export function authenticatorsOf(
  { id, auth }: Pick<Route, 'id' | 'auth'>,
  factories: Readonly<Partial<Record<Credential, () => Authenticator>>>,
): Authenticators {
  const entries = auth.map((credential) => {
    const make = factories[credential];
    if (make === undefined) throw new Error(`${id} accepts ${credential}, for which there is no authenticator.`);
    return [credential, make()] as const;
  });
  return Object.fromEntries(entries);
}

const BEARER = 'bearer';

/** The token of `Authorization: Bearer <token>`; empty, or several words, where the header is malformed. Null without one. */
export function bearerToken({ headers }: Pick<HttpRequest, 'headers'>): string | null {
  const text = headers.authorization?.trim() ?? '';
  if (text.slice(0, BEARER.length).toLowerCase() !== BEARER) return null;
  const rest = text.slice(BEARER.length);
  return rest === '' || /^\s/.test(rest) ? rest.trim() : null;
}

/** A credential, and how to verify it. */
export interface Claim {
  readonly caller: KnownCaller | null;
  verify(): Promise<Principal | null>;
}

/** The credential with the highest rank; null on a public route, and for a request without credentials. */
export function claimOf(
  { auth }: Pick<Route, 'auth'>,
  request: HttpRequest,
  authenticators: Authenticators,
): Claim | null {
  const found = strongestCredential(auth, request, authenticators);
  if (found === null) return null;
  const { authenticator, text } = found;
  return { caller: authenticator.known?.(text) ?? null, verify: () => authenticator.verify(text, request) };
}

/**
 * The principal of a request to an authenticated route; null on a public route.
 * @throws Problem 401, the same for every fault of a credential
 */
export async function authenticate({ auth }: Pick<Route, 'auth'>, claim: Claim | null): Promise<Principal | null> {
  if (auth.length === 0) return null;
  const principal = claim && (await claim.verify());
  if (!principal) throw unauthenticated(auth);
  return principal;
}

/** @throws Problem 403 when the principal lacks the route's scope or role, or must enrol a second factor or confirm an address first */
export function authorize(principal: Principal, route: AuthorizedRoute): void {
  requireEnrolment(principal, route);
  requireScope(principal, route.scope);
  requireRole(principal, route.role);
  requireConfirmation(principal, route);
}

function requireEnrolment({ mustEnrol }: Principal, { allowsEnrolment }: AuthorizedRoute): void {
  if (!mustEnrol || allowsEnrolment) return;
  throw new Problem(
    403,
    'second_factor_missing',
    'Your workspace requires a second factor. Enrol one with POST /api/v1/auth/second-factor, or in the console under Account.',
  );
}

type AuthorizedRoute = Pick<Route, 'scope' | 'role' | 'method' | 'allowsUnconfirmed' | 'allowsEnrolment'>;

function requireConfirmation({ awaitsConfirmation }: Principal, { method, allowsUnconfirmed }: AuthorizedRoute): void {
  if (!awaitsConfirmation || method === 'GET' || allowsUnconfirmed) return;
  throw new Problem(
    403,
    'email_unconfirmed',
    'Confirm your e-mail address first: follow the link of the mail that was sent at the registration. ' +
      'POST /api/v1/auth/confirmation sends it again.',
  );
}

function strongestCredential(auth: Route['auth'], request: HttpRequest, authenticators: Authenticators) {
  const found = auth.flatMap((kind) => {
    const authenticator = authenticators[kind];
    if (authenticator === undefined) throw new Error(`No authenticator for the credential ${kind}.`);
    const credential = authenticator.find(request);
    return credential === null ? [] : [{ ...credential, authenticator }];
  });
  const [strongest] = found.toSorted((a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank));
  // A bearer token that the route does not accept is a bad credential, and not the absence of one; so is any other scheme.
  const isShadowed = strongest !== undefined && RANKS.indexOf(strongest.rank) > RANKS.indexOf('bearer');
  return isShadowed && request.headers.authorization?.trim() ? null : (strongest ?? null);
}

function unauthenticated(auth: Route['auth']): Problem {
  const message = auth.includes('api-key')
    ? 'The credential is missing or invalid. Send an access token as a bearer token, or an API key in the header x-api-key.'
    : 'The credential is missing or invalid. Log in, and send the access token as a bearer token.';
  return new Problem(401, 'invalid_key', message, { headers: { 'www-authenticate': 'Bearer realm="tripod"' } });
}

function requireScope({ scopes, kind }: Principal, scope: Route['scope']): void {
  if (scope === undefined) return;
  if (scope === 'all') {
    if (ALL_SCOPES.every((each) => scopes.includes(each))) return;
    throw new Problem(403, 'forbidden', NARROWED, { details: { scope } });
  }
  if (scopes.includes(scope)) return;
  const text =
    kind === 'key'
      ? `The API key lacks the scope "${scope}". Use a key that has it.`
      : `This needs the scope "${scope}", which your credential lacks.`;
  throw new Problem(403, 'forbidden', text, { details: { scope } });
}

const NARROWED =
  'The API key is narrowed to some services, and this concerns the whole workspace. Use a key that has every scope.';

/** Weakest first. */
const ROLES: readonly Role[] = ['viewer', 'admin', 'owner'];

function requireRole({ role: held, kind }: Principal, role: Role | undefined): void {
  if (role === undefined || ROLES.indexOf(held) >= ROLES.indexOf(role)) return;
  const text = kind === 'key' ? NARROWED : `This needs the role "${role}", and yours is "${held}".`;
  throw new Problem(403, 'forbidden', text, { details: { role } });
}
