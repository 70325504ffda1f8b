import type { AuditEntry } from '../../accounts/domain/audit.ts';
import type { Application, ApplicationId } from './application.ts';

export type CreateOutcome = 'created' | 'name_taken';
export type ReplaceOutcome = 'replaced' | 'name_taken' | 'changed';

/** Stored applications. Reads are strongly consistent; a change and its audit entry are stored together. */
export interface Applications {
  find(id: ApplicationId): Promise<Application | null>;
  /** In the order of creation, newest first. @param before only those older than the application of this id. */
  list(workspaceId: string, limit: number, before: string | null): Promise<Application[]>;
  create(application: Application, audit: AuditEntry): Promise<CreateOutcome>;
  /** Stores `next` in the place of `seen`, on the condition that it has not changed since it was read. */
  replace(seen: Application, next: Application, audit: AuditEntry): Promise<ReplaceOutcome>;
  /** Removes it with its access tokens. @returns false when it has changed, or is gone, since it was read. */
  remove(seen: Application, audit: AuditEntry): Promise<boolean>;
}
