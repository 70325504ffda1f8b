import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { AUDIT_KEPT_SECONDS, type AuditEntry } from '../../accounts/domain/audit.ts';
import type { ApiKeyRecord } from '../../accounts/domain/authenticate.ts';
import type { KeyRing, KeysOfWorkspace, Revocation } from '../../accounts/domain/manage-keys.ts';
import { and, equal, missing, or } from '../dynamodb/expressions.ts';
import { apiKeyKey, epochSeconds, keyRingKey, OWNED_API_KEYS, ownedApiKeyKey, workspaceKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { transact } from '../dynamodb/transactions.ts';
import { apiKeyOf } from './dynamo-api-keys.ts';
import { auditPart } from './dynamo-audit.ts';

/** Each key has its own partition, and a pointer in its workspace's partition. */
export class DynamoKeyRing implements KeyRing {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
  }

  async keysOf(workspaceId: string): Promise<KeysOfWorkspace> {
    // The version before the keys: one that is added in between makes the version stale.
    const ring = await this.#table.get<{ version: number }>(keyRingKey(workspaceId));
    const owned: string[] = [];
    const pointers = { partition: workspaceKey(workspaceId).pk, prefix: OWNED_API_KEYS };
    for await (const { id } of this.#table.query<{ id: string }>(pointers)) owned.push(id);
    const items = owned.length === 0 ? [] : await this.#table.getAll(owned.map(apiKeyKey));
    const keys = items.map(apiKeyOf).filter(({ revokedAt }) => revokedAt === null);
    return {
      keys: keys.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt) || a.id.localeCompare(b.id)),
      version: ring?.version ?? 0,
    };
  }

  async add(key: ApiKeyRecord, version: number, audit: AuditEntry): Promise<boolean> {
    const { id, workspaceId } = key;
    const cancelled = await transact(this.#client, [
      [
        'ring',
        this.#table.updatePart(keyRingKey(workspaceId), {
          orCreate: true,
          set: { version: version + 1 },
          condition: version === 0 ? missing('version') : equal('version', version),
        }),
      ],
      ['key', this.#table.putPart({ ...apiKeyKey(id), ...key })],
      ['owned key', this.#table.putPart({ ...ownedApiKeyKey(workspaceId, id), id })],
      ['audit', auditPart(this.#table, audit)],
    ]);
    if (cancelled === null) return true;
    if (cancelled.failed('ring') || cancelled.isTransient) return false;
    throw new Error(`The API key ${id} is stored already.`);
  }

  async revoke(workspaceId: string, id: string, revokedAt: string, audit: AuditEntry): Promise<Revocation> {
    const expiresAt = epochSeconds(Date.parse(revokedAt)) + AUDIT_KEPT_SECONDS;
    const cancelled = await transact(this.#client, [
      [
        'key',
        this.#table.updatePart(apiKeyKey(id), {
          set: { revokedAt, expiresAt },
          // Older keys than this endpoint may lack the attribute that is null in the others.
          condition: and(equal('workspaceId', workspaceId), or(missing('revokedAt'), equal('revokedAt', null))),
        }),
      ],
      ['owned key', this.#table.deletePart(ownedApiKeyKey(workspaceId, id))],
      ['audit', auditPart(this.#table, audit)],
    ]);
    if (cancelled === null) return 'revoked';
    return cancelled.failed('key') ? 'absent' : 'conflict';
  }
}
