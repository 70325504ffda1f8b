import type { AuditEntry } from '../../accounts/domain/audit.ts';
import type { Application, ApplicationId, SealedSecret } from './application.ts';

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

/** Encrypts what must not be readable where it is stored. */
export interface SecretBox {
  /** @param context is authenticated: a text that is moved elsewhere cannot be opened there. */
  seal(text: string, context: string): Promise<SealedSecret>;
  /** @throws when it was sealed for another context, or with another key. */
  open(sealed: SealedSecret, context: string): Promise<string>;
}

/** Judges addresses before they are stored; a request judges them once more, with the name resolved. */
export interface ModelAddresses {
  /** @returns the fault of an address, as the end of a sentence; null if it may be used. */
  refusalOf(baseUrl: string): string | null;
}
