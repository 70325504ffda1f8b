import type { RandomBytes } from '../../shared/ports/random-bytes.ts';
import type { Principal } from '../../shared/principal.ts';
import type { ApplicationId } from '../domain/application.ts';
import type { SessionId, SessionKey } from '../domain/conversations.ts';
import { NEW_SESSION, newVisitorSession, visitorSession } from '../domain/visitor-sessions.ts';
import { foreignSession, noSessions } from '../http-errors.ts';

/** The application that a path names: by its id, or by a token, which knows its application. */
export function applicationIdOf({ workspaceId, publicAccess }: RequestCaller, inPath: string): ApplicationId {
  return { workspaceId, applicationId: publicAccess?.applicationId ?? inPath };
}

/** A caller, with a credential that is checked or is being checked. */
export type RequestCaller = Pick<Principal, 'kind' | 'id' | 'workspaceId' | 'publicAccess'>;

interface SessionHeaders {
  readonly 'x-session-id'?: string | undefined;
  readonly 'idempotency-key'?: string | undefined;
}

export type RequestSession = SessionId & {
  readonly key: SessionKey | null;
  /** The session id that a visitor sends to continue; null: the client chose the id itself. */
  readonly issued: string | null;
};

/** Whether nothing is written before the answer: a request takes its Idempotency-Key within its session. */
export function onlyReads({ 'x-session-id': session, 'idempotency-key': key }: SessionHeaders): boolean {
  return session === undefined || key === undefined;
}

/** @returns null for a request without a session: nothing of it is kept. @throws Problem */
export function sessionOf(
  application: ApplicationId,
  principal: RequestCaller,
  { 'x-session-id': sent, 'idempotency-key': key }: SessionHeaders,
  hashBody: () => string,
  completionId: string,
  random: RandomBytes,
): RequestSession | null {
  if (sent === undefined) return null;
  const { kind, id } = principal;
  return {
    ...application,
    caller: { kind, id },
    ...sessionIdOf(principal, sent, random),
    key: key === undefined ? null : { key, bodyHash: hashBody(), owner: completionId },
  };
}

function sessionIdOf({ kind, publicAccess }: RequestCaller, sent: string, random: RandomBytes) {
  if (kind !== 'public-token') return { sessionId: sent, issued: null };
  const signingKey = publicAccess?.sessionKey ?? null;
  if (signingKey === null) throw noSessions();
  const session = sent === NEW_SESSION ? newVisitorSession(signingKey, random) : visitorSession(signingKey, sent);
  if (session === null) throw foreignSession();
  return { sessionId: session.sessionId, issued: session.text };
}

/**
 * The same for requests that are one to their client; otherwise that of the completion. Recorded turns have the same identity: a key counts
 * within one session of one application. Visitors share their token: only within a session can two of their requests be one.
 */
export function requestKeyOf(
  { workspaceId, applicationId }: ApplicationId,
  { kind, id }: Principal,
  { 'idempotency-key': key }: SessionHeaders,
  session: SessionId | null,
  completionId: string,
): string {
  if (key === undefined) return completionId;
  if (kind === 'public-token' && session === null) return completionId;
  return JSON.stringify([workspaceId, applicationId, kind, id, session?.sessionId ?? null, key]);
}
