import type { Principal } from '../../shared/principal.ts';
import type { ApplicationId } from '../domain/application.ts';
import type { SessionId, SessionKey } from '../domain/conversations.ts';

/** The application that a path names: by its id, or by a token, which knows its application. */
export function applicationIdOf({ workspaceId, applicationId }: Principal, inPath: string): ApplicationId {
  return { workspaceId, applicationId: applicationId ?? inPath };
}

interface SessionHeaders {
  readonly 'x-session-id'?: string | undefined;
  readonly 'idempotency-key'?: string | undefined;
}

/** @returns null for a request without a session: nothing of it is kept. */
export function sessionOf(
  application: ApplicationId,
  { kind, id }: Principal,
  { 'x-session-id': sessionId, 'idempotency-key': key }: SessionHeaders,
  hashBody: () => string,
  completionId: string,
): (SessionId & { readonly key: SessionKey | null }) | null {
  if (sessionId === undefined) return null;
  return {
    ...application,
    caller: { kind, id },
    sessionId,
    key: key === undefined ? null : { key, bodyHash: hashBody(), owner: completionId },
  };
}

/** The same for requests that are one to their client; otherwise that of the completion. */
export function requestKeyOf(
  { kind, id }: Principal,
  { 'idempotency-key': key }: SessionHeaders,
  completionId: string,
): string {
  return key === undefined ? completionId : JSON.stringify([kind, id, key]);
}
