import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from '../../shared/ports/random-bytes.ts';
import type { User } from './user.ts';

/** One login of a user: the family of refresh tokens that follow from it, and the cookie of its browser. */
export interface Session {
  readonly sessionId: string;
  readonly userId: string;
  readonly workspaceId: string;
  /** The user's `sessionEpoch` when it started. */
  readonly epoch: number;
  /** Hash of the refresh token in force. */
  readonly refreshHash: string;
  readonly refreshExpiresAtMs: number;
  /** Tokens that were rotated within the grace, oldest first. */
  readonly rotations: readonly Rotation[];
  /** Null for a session of a program. */
  readonly cookieHash: string | null;
  /** The cookie's end; a refresh does not move it. */
  readonly cookieExpiresAtMs: number;
  readonly createdAt: string;
  /** Present when it may only enrol the second factor that its user lacks. */
  readonly mustEnrol?: true;
  /** Absent in sessions that are older than this member. */
  readonly client?: SessionClient;
}

/** Where a session was started. */
export interface SessionClient {
  readonly userAgent: string | null;
  readonly address: string | null;
}

/** A refresh token that was replaced: the next one's secret is derived from its secret and this salt. */
export interface Rotation {
  readonly hash: string;
  readonly salt: string;
  readonly atMs: number;
}

export interface Sessions {
  /** Strongly consistent. @returns null for one that has ended. */
  find(sessionId: string): Promise<Session | null>;
  create(session: Session): Promise<void>;
  /** Stores a rotation, on the condition that `replacedHash` is still in force. @returns false when it is not. */
  rotate(session: Session, replacedHash: string): Promise<boolean>;
  end(sessionId: string): Promise<void>;
  /** Sessions of a user that have not ended; those that expired or lost to a new password may be among them. */
  ofUser(userId: string): Promise<readonly Session[]>;
}

/** Sessions as authentication reads them. */
export interface LiveSessions {
  /** The session and its user in one strongly consistent round trip; null where either is gone. */
  findWithUser(sessionId: string, userId: string): Promise<{ readonly session: Session; readonly user: User } | null>;
}

export interface TokenLifetimes {
  readonly accessSeconds: number;
  readonly refreshSeconds: number;
}

/**
 * For so long a replaced refresh token still gives the one in force: two tabs that refresh at once, or a client that lost a
 * response, are not thieves. DynamoDB holds at most 400 KB an item: rotations within it are far fewer than would fill that.
 */
export const REFRESH_GRACE_MS = 10_000;
const MAX_ROTATIONS = 100;

const ID_BYTES = 16;
const SECRET_BYTES = 32;
const SALT_BYTES = 16;
const REFRESH_TOKEN = /^trt_([\w-]{22})\.([\w-]{43})$/;
const COOKIE = /^([\w-]{22})\.(usr_[0-9A-Z]{26})\.([\w-]{43})$/;

interface NewSession {
  readonly isBrowser: boolean;
  readonly client?: SessionClient | undefined;
  readonly mustEnrol: boolean;
  readonly nowMs: number;
  readonly refreshSeconds: number;
}

export function newSession(
  user: User,
  { isBrowser, client, mustEnrol, nowMs, refreshSeconds }: NewSession,
  random: RandomBytes,
): { readonly session: Session; readonly refreshToken: string; readonly cookie: string | null } {
  const sessionId = text(random(ID_BYTES));
  const secret = text(random(SECRET_BYTES));
  const cookieSecret = isBrowser ? text(random(SECRET_BYTES)) : null;
  const expiresAtMs = nowMs + refreshSeconds * 1000;
  return {
    session: {
      sessionId,
      userId: user.userId,
      workspaceId: user.workspaceId,
      epoch: user.sessionEpoch,
      refreshHash: hashOf(secret),
      refreshExpiresAtMs: expiresAtMs,
      rotations: [],
      cookieHash: cookieSecret && hashOf(cookieSecret),
      cookieExpiresAtMs: cookieSecret === null ? 0 : expiresAtMs,
      createdAt: new Date(nowMs).toISOString(),
      ...(mustEnrol && { mustEnrol }),
      ...(client && { client }),
    },
    refreshToken: refreshToken(sessionId, secret),
    cookie: cookieSecret && `${sessionId}.${user.userId}.${cookieSecret}`,
  };
}

/** Whether the session still stands for this user: it ended for good when the user got a new password. */
export function isSessionOf({ userId, workspaceId, epoch }: Session, user: User): boolean {
  return userId === user.userId && workspaceId === user.workspaceId && epoch === user.sessionEpoch;
}

interface Presented {
  readonly sessionId: string;
  readonly secret: string;
}

/** @returns null for a text that is not a refresh token. */
export function parseRefreshToken(token: string): Presented | null {
  const [, sessionId, secret] = REFRESH_TOKEN.exec(token) ?? [];
  return sessionId === undefined || secret === undefined ? null : { sessionId, secret };
}

/** @returns null for a text that is not a session cookie. */
export function parseCookie(cookie: string): (Presented & { readonly userId: string }) | null {
  const [, sessionId, userId, secret] = COOKIE.exec(cookie) ?? [];
  return sessionId === undefined || userId === undefined || secret === undefined ? null : { sessionId, userId, secret };
}

export function isCookieOf({ cookieHash, cookieExpiresAtMs }: Session, secret: string, nowMs: number): boolean {
  return cookieHash !== null && nowMs < cookieExpiresAtMs && isHash(cookieHash, secret);
}

/** The state of a refresh token in its session. */
export type RefreshVerdict =
  /** It is in force: `after` is the session with the next token. */
  | { readonly kind: 'rotate'; readonly after: Session; readonly refreshToken: string }
  /** It was replaced within the grace, by way of others perhaps, by this one. */
  | { readonly kind: 'replaced'; readonly refreshToken: string }
  /** It was replaced long ago, or never was the session's: it is in wrong hands. */
  | { readonly kind: 'reused' };

/**
 * Judges a refresh token. The next secret is derived from the current one and a stored salt, so that a client with a just-replaced token
 * gets the same successor, and the stored session alone yields none.
 */
export function judgeRefresh(
  session: Session,
  { secret }: Presented,
  { nowMs, refreshSeconds, random }: { nowMs: number; refreshSeconds: number; random: RandomBytes },
): RefreshVerdict {
  const recent = session.rotations.filter(({ atMs }) => nowMs - atMs <= REFRESH_GRACE_MS);
  if (isHash(session.refreshHash, secret)) {
    const salt = text(random(SALT_BYTES));
    const next = derive(secret, salt);
    const after = {
      ...session,
      refreshHash: hashOf(next),
      refreshExpiresAtMs: nowMs + refreshSeconds * 1000,
      rotations: [...recent, { hash: session.refreshHash, salt, atMs: nowMs }].slice(-MAX_ROTATIONS),
    };
    return { kind: 'rotate', after, refreshToken: refreshToken(session.sessionId, next) };
  }
  const replacedAt = recent.findIndex(({ hash }) => isHash(hash, secret));
  if (replacedAt === -1) return { kind: 'reused' };
  const current = recent.slice(replacedAt).reduce((derived, { salt }) => derive(derived, salt), secret);
  return { kind: 'replaced', refreshToken: refreshToken(session.sessionId, current) };
}

/** The token that state-changing calls by cookie carry in a header: it follows from the cookie, which no other site can read. */
export function csrfTokenOf(cookie: string): string {
  return createHmac('sha256', cookie).update('tripod csrf').digest('base64url');
}

export function isCsrfTokenOf(cookie: string, token: string): boolean {
  return isHash(hashOf(csrfTokenOf(cookie)), token);
}

function refreshToken(sessionId: string, secret: string): string {
  return `trt_${sessionId}.${secret}`;
}

function derive(secret: string, salt: string): string {
  return createHmac('sha256', secret).update(salt).digest('base64url');
}

/** A secret has 256 bits: one SHA-256 is enough. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Compares in constant time. */
function isHash(hash: string, secret: string): boolean {
  const expected = Buffer.from(hash);
  const actual = Buffer.from(hashOf(secret));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
