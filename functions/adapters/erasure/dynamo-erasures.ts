import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ErasurePass, Erasures } from '../../accounts/domain/erase-data.ts';
import type { ErasureOrder } from '../../accounts/domain/erasure.ts';
import type { User } from '../../accounts/domain/user.ts';
import { atMost } from '../dynamodb/expressions.ts';
import {
  ERASURE_PASS_KEY,
  ERASURES_PARTITION,
  erasureOrderKey,
  OWNED_API_KEYS,
  OWNED_CHANNELS,
  userKey,
  workspacePartition,
} from '../dynamodb/keys.ts';
import { DynamoTable, type Key } from '../dynamodb/table.ts';

/** Orders and progress in the table of accounts. */
export class DynamoErasures implements Erasures {
  readonly #accounts: DynamoTable;
  readonly #channels: DynamoTable;

  constructor(client: DynamoDBDocumentClient, tables: { readonly accounts: string; readonly channels: string }) {
    this.#accounts = new DynamoTable(client, tables.accounts);
    this.#channels = new DynamoTable(client, tables.channels);
  }

  async due(nowMs: number): Promise<ErasureOrder[]> {
    const found: ErasureOrder[] = [];
    const orders = this.#accounts.query<ErasureOrder & Key>({
      partition: ERASURES_PARTITION,
      filter: atMost('dueAtMs', nowMs),
    });
    for await (const { kind, workspaceId, dueAtMs, retentionDays, inlineImages = false } of orders)
      found.push({ kind, workspaceId, dueAtMs, retentionDays, inlineImages });
    return found;
  }

  begin(order: ErasureOrder, nowMs: number): Promise<boolean> {
    return this.#accounts.update(erasureOrderKey(order), { set: { begunAtMs: nowMs } });
  }

  async end(orders: readonly ErasureOrder[]): Promise<void> {
    for (const order of orders) await this.#accounts.delete(erasureOrderKey(order));
  }

  async pass(): Promise<ErasurePass | null> {
    const item = await this.#accounts.get<ErasurePass>(ERASURE_PASS_KEY);
    return item && { begunAtMs: item.begunAtMs, targets: item.targets, step: item.step, cursor: item.cursor };
  }

  async savePass(pass: ErasurePass): Promise<void> {
    await this.#accounts.put({ ...ERASURE_PASS_KEY, ...pass });
  }

  async idsOf(workspaceId: string): Promise<string[]> {
    const partition = workspacePartition(workspaceId);
    const ids: string[] = [];
    for await (const { userId, email } of this.#accounts.query<User>({
      partition,
      prefix: userKey(workspaceId, '').sk,
    }))
      ids.push(userId, email);
    for await (const { id } of this.#accounts.query<{ id: string }>({ partition, prefix: OWNED_API_KEYS }))
      ids.push(id);
    for await (const { channelId } of this.#channels.query<{ channelId: string }>({
      partition,
      prefix: OWNED_CHANNELS,
    }))
      ids.push(channelId);
    return ids;
  }
}
