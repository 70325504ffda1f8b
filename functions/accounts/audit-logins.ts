import type { HttpRequest } from '../shared/http/api-request.ts';
import { originBy } from './audit-origin.ts';
import {
  type Act,
  type Actor,
  type AuditAction,
  type AuditPorts,
  type AuditTrail,
  auditEntry,
} from './domain/audit.ts';
import { AuthRefused } from './domain/auth-refused.ts';
import type { User } from './domain/user.ts';

type Request = Pick<HttpRequest, 'sourceAddress' | 'userAgent' | 'requestId' | 'background'>;
type Subject = Pick<User, 'userId' | 'workspaceId'>;
/** Absent: by password, or by a link of a mail. */
type Means = 'single sign-on';

/** Holds the failed logins of addresses that are not registered: recording them takes as long as recording others. */
const NO_WORKSPACE = 'unknown';

export interface LoginAuditPorts extends AuditPorts {
  readonly audit: Pick<AuditTrail, 'record'>;
}

/** Recorders of logins. Responses do not wait for the record, and stay good when it fails. */
export function loginAudit(ports: LoginAuditPorts) {
  function record(act: Act, actor: Actor, request: Request): void {
    request.background(ports.audit.record(auditEntry(act, originBy(actor, request), ports)));
  }
  return {
    /** Records an act of, or on, a session. */
    recordLogin(action: AuditAction, { userId, workspaceId }: Subject, request: Request, by?: Means): void {
      record(
        { workspaceId, action, target: userId, ...(by && { details: { by } }) },
        { kind: 'user', id: userId },
        request,
      );
    },

    /** Records a refused login or refresh, and throws the refusal on. */
    recordRefusal(action: AuditAction, error: unknown, request: Request, by?: Means): never {
      if (error instanceof AuthRefused) {
        const { refusal, subject } = error;
        const { workspaceId, userId: target } = subject ?? { workspaceId: NO_WORKSPACE, userId: null };
        const details = by && { details: { by, refusal } };
        if (subject !== null || refusal === 'wrong_credentials')
          record({ workspaceId, action, target, ...details }, { kind: 'user', id: null }, request);
      }
      throw error;
    },
  };
}
