import { ALL_SCOPES, type Scope } from '../../shared/principal.ts';
import { apiKeyId, isHashOf } from './api-key.ts';

/** A key as it is stored. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** SHA-256 of the key's text, hexadecimal. */
  readonly hash: string;
  readonly createdAt: string;
  /** ISO time from which the key is refused; null: it has no end. */
  readonly validUntil: string | null;
  /** ISO time of the revocation; null: in use. */
  readonly revokedAt: string | null;
  /** ISO time, exact to the minute. */
  readonly lastUsedAt: string | null;
  /** Present while its workspace waits for the confirmation of its owner's address. */
  readonly awaitsConfirmation?: true;
}

export interface ApiKeys {
  /** Strongly consistent: a revocation takes effect on the next request. */
  find(id: string): Promise<ApiKeyRecord | null>;
  /** Records that the key was in use at `at` (ISO). */
  recordUse(id: string, at: string): Promise<void>;
}

const USE_RECORDED_EVERY_MS = 60_000;

/** @returns null for a key that is malformed, unknown, wrong, revoked or expired: clients must not tell these apart. */
export async function authenticate(
  text: string,
  keys: Pick<ApiKeys, 'find'>,
  nowMs: number,
): Promise<ApiKeyRecord | null> {
  const id = apiKeyId(text);
  const record = id === null ? null : await keys.find(id);
  if (record === null || !isHashOf(record.hash, text) || record.revokedAt !== null) return null;
  return record.validUntil !== null && Date.parse(record.validUntil) <= nowMs ? null : record;
}

/**
 * A key with every scope acts as the owner who made it. One with some scopes is for a program that does just that work,
 * often on a machine that many people can reach: it must not touch money.
 */
export function actsAsOwner({ scopes }: Pick<ApiKeyRecord, 'scopes'>): boolean {
  return ALL_SCOPES.every((scope) => scopes.includes(scope));
}

/** The time of last use shows owners which keys are unused: once a minute is enough, and keeps writes off the hot path. */
export function isUseDue({ lastUsedAt }: ApiKeyRecord, nowMs: number): boolean {
  return lastUsedAt === null || nowMs - Date.parse(lastUsedAt) >= USE_RECORDED_EVERY_MS;
}
