import type { Backoff } from '../../shared/ports/backoff.ts';
import type { RandomBytes } from '../../shared/ports/random-bytes.ts';
import type { Scope } from '../../shared/principal.ts';
import { hashApiKey, isApiKeyId, newApiKey } from './api-key.ts';
import { type AuditEntry, type AuditPorts, auditEntry, type Origin } from './audit.ts';
import type { ApiKeyRecord } from './authenticate.ts';
import { AccountBusy } from './change-account.ts';
import { KeyRefused } from './key-refused.ts';

/** The keys of workspaces, for those who manage them. */
export interface KeyRing {
  /** The keys of a workspace that are not revoked, newest first. Strongly consistent. */
  keysOf(workspaceId: string): Promise<KeysOfWorkspace>;
  /**
   * Stores a key with its audit entry: one transaction, on the condition that no key was added since `version` was read.
   * @returns false when one was.
   */
  add(key: ApiKeyRecord, version: number, audit: AuditEntry): Promise<boolean>;
  /** Revokes a key for good: one transaction with the audit entry. */
  revoke(workspaceId: string, id: string, revokedAt: string, audit: AuditEntry): Promise<Revocation>;
}

export type Revocation =
  | 'revoked'
  /** The workspace has no such key, or it is revoked already. */
  | 'absent'
  /** Another write of the key came at the same moment: try again. */
  | 'conflict';

export interface KeysOfWorkspace {
  readonly keys: readonly ApiKeyRecord[];
  /** Grows with every key that is added. */
  readonly version: number;
}

export interface KeyRequest {
  readonly workspaceId: string;
  /** Unique among the keys of the workspace that are not revoked. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** ISO time from which the key is refused; null: never. */
  readonly validUntil: string | null;
  readonly origin: Origin;
}

export interface KeyPorts extends AuditPorts {
  readonly ring: KeyRing;
  readonly random: RandomBytes;
  readonly backoff: Backoff;
}

/** Keys of a workspace that are not revoked. */
export const MAX_KEYS = 100;
/** Keys are made by people: several at the same moment are rare. */
const MAX_ATTEMPTS = 8;

/** Makes a key; its text is in the result, and nowhere else. @throws KeyRefused, AccountBusy */
export async function createKey(
  request: KeyRequest,
  ports: KeyPorts,
): Promise<{ readonly key: ApiKeyRecord; readonly text: string }> {
  const { workspaceId, name, scopes, validUntil, origin } = request;
  const nowMs = ports.clock.now();
  if (validUntil !== null && Date.parse(validUntil) <= nowMs)
    throw new KeyRefused(
      'invalid_request',
      'expires_at: must be in the future. Leave it out for a key without an end.',
    );
  const { id, text } = newApiKey(ports.random);
  const key: ApiKeyRecord = {
    id,
    workspaceId,
    name,
    scopes,
    validUntil,
    hash: hashApiKey(text),
    createdAt: new Date(nowMs).toISOString(),
    revokedAt: null,
    lastUsedAt: null,
  };
  const audit = auditEntry(
    { workspaceId, action: 'api_key.created', target: id, details: { name, scopes, expires_at: validUntil } },
    origin,
    ports,
  );
  return repeated(ports, async () => {
    const { keys, version } = await ports.ring.keysOf(workspaceId);
    requireRoom(keys, name);
    return (await ports.ring.add(key, version, audit)) ? { key, text } : null;
  });
}

/** Runs `attempt` until it is not null. @throws AccountBusy */
async function repeated<T>({ backoff }: Pick<KeyPorts, 'backoff'>, attempt: () => Promise<T | null>): Promise<T> {
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts++) {
    const outcome = await attempt();
    if (outcome !== null) return outcome;
    await backoff.wait(attempts);
  }
  throw new AccountBusy();
}

function requireRoom(keys: readonly ApiKeyRecord[], name: string): void {
  if (keys.some((key) => key.name === name))
    throw new KeyRefused(
      'name_taken',
      `There is an API key of the name ${JSON.stringify(name)} already. Choose another name, or revoke that key first.`,
    );
  if (keys.length >= MAX_KEYS)
    throw new KeyRefused('too_many_keys', `A workspace may have ${MAX_KEYS} API keys. Revoke one that is not used.`);
}

/** Revokes a key for good: its next use is refused. @throws KeyRefused 'not_found', AccountBusy */
export async function revokeKey(
  workspaceId: string,
  id: string,
  origin: Origin,
  ports: Omit<KeyPorts, 'random'>,
): Promise<void> {
  const audit = auditEntry({ workspaceId, action: 'api_key.revoked', target: id }, origin, ports);
  const revocation = isApiKeyId(id)
    ? await repeated(ports, async () => {
        const outcome = await ports.ring.revoke(workspaceId, id, audit.createdAt, audit);
        return outcome === 'conflict' ? null : outcome;
      })
    : 'absent';
  if (revocation === 'revoked') return;
  throw new KeyRefused('not_found', 'API key not found in this workspace, or revoked already.');
}
