import { systemClock, ulidIds } from '../adapters/shared/system-ports.ts';
import type { HttpRequest } from '../shared/http/api-request.ts';
import { audit } from '../wiring/accounts/accounts.ts';
import { originBy } from './audit-origin.ts';
import { type Act, type Actor, type AuditAction, auditEntry } from './domain/audit.ts';
import { AuthRefused } from './domain/auth-refused.ts';
import type { User } from './domain/user.ts';

type Request = Pick<HttpRequest, 'sourceAddress' | 'userAgent' | 'requestId' | 'background'>;
type Subject = Pick<User, 'userId' | 'workspaceId'>;
/** Absent: by password, or by a link of a mail. */
type Means = 'single sign-on';

/** Holds the failed logins of addresses that are not registered: recording them takes as long as recording others. */
const NO_WORKSPACE = 'unknown';

/** Records an act of, or on, a session. The response does not wait for it, and stays good when it fails. */
export function recordLogin(action: AuditAction, { userId, workspaceId }: Subject, request: Request, by?: Means): void {
  record(
    { workspaceId, action, target: userId, ...(by && { details: { by } }) },
    { kind: 'user', id: userId },
    request,
  );
}

/** Records a refused login or refresh, and throws the refusal on. */
export function recordRefusal(action: AuditAction, error: unknown, request: Request, by?: Means): never {
  if (error instanceof AuthRefused) {
    const { refusal, subject } = error;
    const { workspaceId, userId: target } = subject ?? { workspaceId: NO_WORKSPACE, userId: null };
    const details = by && { details: { by, refusal } };
    if (subject !== null || refusal === 'wrong_credentials')
      record({ workspaceId, action, target, ...details }, { kind: 'user', id: null }, request);
  }
  throw error;
}

function record(act: Act, actor: Actor, request: Request): void {
  const entry = auditEntry(act, originBy(actor, request), {
    clock: systemClock,
    ids: ulidIds,
  });
  request.background(audit().record(entry));
}
