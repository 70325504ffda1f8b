import { systemClock, ulidIds } from '../adapters/shared/system-ports.ts';
import type { HttpRequest } from '../shared/http/api-request.ts';
import { originBy } from './audit-origin.ts';
import { type Actor, type AuditAction, auditEntry } from './domain/audit.ts';
import { AuthRefused } from './domain/auth-refused.ts';
import type { User } from './domain/user.ts';
import { audit } from './wiring.ts';

type Request = Pick<HttpRequest, 'sourceAddress' | 'userAgent' | 'requestId' | 'background'>;
type Subject = Pick<User, 'userId' | 'workspaceId'>;

/** Holds the failed logins of addresses that are not registered: recording them takes as long as recording others. */
const NO_WORKSPACE = 'unknown';

/** Records an act of, or on, a session. The response does not wait for it, and stays good when it fails. */
export function recordLogin(action: AuditAction, { userId, workspaceId }: Subject, request: Request): void {
  record(action, { workspaceId, target: userId }, { kind: 'user', id: userId }, request);
}

/** Records a refused login or refresh, and throws the refusal on. */
export function recordRefusal(action: AuditAction, error: unknown, request: Request): never {
  if (error instanceof AuthRefused) {
    const { refusal, subject } = error;
    const target = subject?.userId ?? null;
    if (subject !== null || refusal === 'wrong_credentials')
      record(
        action,
        { workspaceId: subject?.workspaceId ?? NO_WORKSPACE, target },
        { kind: 'user', id: null },
        request,
      );
  }
  throw error;
}

function record(
  action: AuditAction,
  { workspaceId, target }: { readonly workspaceId: string; readonly target: string | null },
  actor: Actor,
  request: Request,
): void {
  const entry = auditEntry({ workspaceId, action, target }, originBy(actor, request), {
    clock: systemClock,
    ids: ulidIds,
  });
  request.background(audit().record(entry));
}
