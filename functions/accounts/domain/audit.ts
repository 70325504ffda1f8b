import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';

/** Acts that leave an entry, `<object>.<what happened to it>`. */
export const AUDIT_ACTIONS = [
  'workspace.created',
  'workspace.changed',
  'workspace.deletion_requested',
  'workspace.deletion_cancelled',
  'workspace.exported',
  'login.succeeded',
  'login.failed',
  'login.ended',
  'login.revoked',
  'email.confirmed',
  'password.changed',
  'password.reset',
  'second_factor.enabled',
  'second_factor.disabled',
  'second_factor.recovery_used',
  'second_factor.recovery_replaced',
  'sso.configured',
  'sso.removed',
  'sso.domain_proved',
  'sso.linked',
  'member.invited',
  'member.joined',
  'member.changed',
  'member.removed',
  'api_key.created',
  'api_key.revoked',
  'application.created',
  'application.changed',
  'application.removed',
  'access_token.created',
  'access_token.changed',
  'access_token.revoked',
  'balance.topped_up',
  'balance.threshold_changed',
  'budget.set',
  'budget.removed',
  'extraction.deleted',
  'picture.deleted',
  'job.deleted',
  'conversations.removed',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The performer of an act. */
export interface Actor {
  /** 'system': the service itself, or its operator. */
  readonly kind: 'user' | 'key' | 'system';
  /** Of the user or the key; null for the service itself, and for a login that failed. */
  readonly id: string | null;
}

/** The performer of an act, and the place it came from. */
export interface Origin {
  readonly actor: Actor;
  /** Network address, as the gateway saw it; null for an act of the service itself. */
  readonly address: string | null;
  readonly userAgent: string | null;
  /** Null for an act without a request. */
  readonly requestId: string | null;
}

/** Origin of what the service, or its operator, does without a request. */
export const SYSTEM_ORIGIN: Origin = {
  actor: { kind: 'system', id: null },
  address: null,
  userAgent: null,
  requestId: null,
};

export interface Act {
  readonly workspaceId: string;
  readonly action: AuditAction;
  /** Id of the object: the key, the member, the ledger entry; null where the workspace itself is. */
  readonly target: string | null;
  /** Further facts: never a password, a token or a key. */
  readonly details?: AuditDetails;
}

export type AuditDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** A record of an act. Never changed; deleted after `AUDIT_KEPT_SECONDS`. */
export interface AuditEntry extends Origin, Required<Act> {
  /** In the order of time. */
  readonly auditId: string;
  readonly createdAt: string;
}

export const AUDIT_KEPT_SECONDS = 400 * 24 * 60 * 60;

/** Entries, for acts whose own transaction does not store theirs. */
export interface AuditTrail {
  record(entry: AuditEntry): Promise<void>;
  /** Newest first, without expired ones. @param before the id of an entry: only older ones; null: from the newest on. */
  entries(workspaceId: string, limit: number, before: string | null): Promise<AuditEntry[]>;
}

export interface AuditPorts {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The entry of an act that happens now; the transaction of the act stores it where there is one. */
export function auditEntry({ details = {}, ...act }: Act, origin: Origin, { clock, ids }: AuditPorts): AuditEntry {
  const createdAt = new Date(clock.now()).toISOString();
  return { auditId: ids.next('aud'), createdAt, ...act, details, ...origin };
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** Opaque to clients; null on the last page. */
  readonly nextCursor: string | null;
}

/** One page of the entries. Entries recorded between two pages shift nothing. */
export async function auditPage(
  workspaceId: string,
  { limit, before }: { readonly limit: number; readonly before: string | null },
  trail: Pick<AuditTrail, 'entries'>,
): Promise<AuditPage> {
  const found = await trail.entries(workspaceId, limit + 1, before);
  const entries = found.slice(0, limit);
  return { entries, nextCursor: found.length > limit ? (entries.at(-1)?.auditId ?? null) : null };
}

/** Form of `nextCursor`: the id of an entry. */
export const AUDIT_CURSOR = /^aud_[0-9A-HJKMNP-TV-Z]{26}$/;
