import type { Clock } from '../../shared/ports/clock.ts';
import type { RandomBytes } from '../../shared/ports/random-bytes.ts';
import type { AccessTokenSigner } from './access-token.ts';
import { AuthRefused } from './auth-refused.ts';
import type { PasswordHasher } from './password.ts';
import {
  isSessionOf,
  judgeRefresh,
  newSession,
  parseRefreshToken,
  type SessionClient,
  type Sessions,
  type TokenLifetimes,
} from './session.ts';
import { type LoginCredential, normalEmail, type User, type Users } from './user.ts';

export interface SessionPorts {
  readonly sessions: Sessions;
  readonly signer: AccessTokenSigner;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly lifetimes: TokenLifetimes;
  /** Whether a workspace requires a second factor of its members; asked for a member without one. */
  readonly requiresSecondFactor: (workspaceId: string) => Promise<boolean>;
}

export interface LoginPorts extends SessionPorts {
  readonly users: Users;
  readonly hasher: PasswordHasher;
  /** Checks a code, and uses it up. @throws AuthRefused */
  readonly requireCode: (user: User, code: string | undefined) => Promise<unknown>;
  /** Whether the workspace's identity provider has taken the place of the user's password. */
  readonly mustUseProvider: MustUseProvider;
}

export type MustUseProvider = (user: Pick<User, 'workspaceId' | 'role' | 'email'>) => Promise<boolean>;

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
}

export interface StartedSession {
  readonly tokens: Tokens;
  /** Value of the session cookie; null where the client is a program. */
  readonly cookie: string | null;
}

export interface LoginAttempt {
  readonly email: string;
  readonly password: string;
  /** Of the second factor. */
  readonly code?: string | undefined;
  readonly isBrowser: boolean;
  readonly client?: SessionClient;
}

/**
 * Starts a session. An unknown e-mail address costs the same password hash and the same reads as a wrong password, and
 * answers the same. The reads take place while the hash is computed. @throws AuthRefused
 */
export async function logIn(
  { email, password, code, isBrowser, client }: LoginAttempt,
  ports: LoginPorts,
): Promise<StartedSession & { readonly user: User }> {
  const credential = await ports.users.findCredential(normalEmail(email));
  const [isRight, user] = await Promise.all([
    ports.hasher.verify(credential?.passwordHash ?? null, password),
    userOf(normalEmail(email), credential, ports.users),
  ]);
  if (user === null || !isRight)
    throw new AuthRefused('wrong_credentials', 'The e-mail address or the password is wrong.', credential);
  // Only now: without the password, a client must not learn that there is a provider or a second factor.
  await requirePasswordLogin(user, ports);
  if (user.secondFactor) await ports.requireCode(user, code);
  return { user, ...(await startSession(user, isBrowser, ports, client)) };
}

/** @throws AuthRefused for a person who must sign in at the identity provider. */
export async function requirePasswordLogin(
  user: Parameters<MustUseProvider>[0],
  { mustUseProvider }: Pick<LoginPorts, 'mustUseProvider'>,
): Promise<void> {
  if (await mustUseProvider(user))
    throw new AuthRefused('sso_required', 'Your workspace requires single sign-on: sign in with your company.');
}

/** A user that does not exist: reading it costs an unknown e-mail address the round trip that a known one costs. */
const NO_USER = 'usr_none';

/**
 * The user of a credential; null where it is no longer in force. The credential is read again after the user: a password that
 * was replaced before that is refused, and one that is replaced later ends the session that starts with this epoch.
 */
async function userOf(email: string, credential: LoginCredential | null, users: Users): Promise<User | null> {
  const user = await users.find(credential?.userId ?? NO_USER);
  const current = await users.findCredential(email);
  return current !== null && current.passwordHash === credential?.passwordHash ? user : null;
}

export async function startSession(
  user: User,
  isBrowser: boolean,
  ports: SessionPorts,
  client?: SessionClient,
): Promise<StartedSession> {
  const nowMs = ports.clock.now();
  const { refreshSeconds } = ports.lifetimes;
  const mustEnrol = !user.secondFactor && (await ports.requiresSecondFactor(user.workspaceId));
  const { session, refreshToken, cookie } = newSession(
    user,
    { isBrowser, client, mustEnrol, nowMs, refreshSeconds },
    ports.random,
  );
  await ports.sessions.create(session);
  return { tokens: await issue(session, refreshToken, nowMs, ports), cookie };
}

/** As often as rotations of the same token can be overtaken before they find their token replaced. */
const MAX_ATTEMPTS = 5;

/**
 * Replaces a refresh token. One that was replaced more than ten seconds ago is in wrong hands, its own or the other: the
 * whole session ends. @throws AuthRefused
 */
export async function refreshSession(token: string, ports: LoginPorts): Promise<Tokens> {
  const presented = parseRefreshToken(token);
  if (presented === null) throw refused();
  const { sessionId } = presented;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const nowMs = ports.clock.now();
    const session = await ports.sessions.find(sessionId);
    if (session === null || session.refreshExpiresAtMs <= nowMs) throw refused();
    const verdict = judgeRefresh(session, presented, { ...ports.lifetimes, nowMs, random: ports.random });
    const user = verdict.kind === 'reused' ? null : await ports.users.find(session.userId);
    if (verdict.kind === 'reused' || user === null || !isSessionOf(session, user)) {
      await ports.sessions.end(sessionId);
      throw refused(verdict.kind === 'reused' ? session : null);
    }
    if (verdict.kind === 'replaced' || (await ports.sessions.rotate(verdict.after, session.refreshHash)))
      return issue(session, verdict.refreshToken, nowMs, ports);
  }
  throw new Error(`Session ${sessionId} was rotated by others ${MAX_ATTEMPTS} times in a row.`);
}

function refused(subject: AuthRefused['subject'] = null): AuthRefused {
  const message = 'The refresh token is unknown, expired or revoked. Log in again.';
  return new AuthRefused('invalid_refresh_token', message, subject);
}

async function issue(
  { userId, workspaceId, sessionId }: { userId: string; workspaceId: string; sessionId: string },
  refreshToken: string,
  nowMs: number,
  { signer, lifetimes }: SessionPorts,
): Promise<Tokens> {
  const { accessSeconds } = lifetimes;
  const claims = { userId, workspaceId, sessionId };
  const accessToken = await signer.sign(claims, nowMs, nowMs + accessSeconds * 1000);
  return { accessToken, refreshToken, expiresInSeconds: accessSeconds };
}
