import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { InboundHealth, InboundHealths, WebhookFault } from '../../channels/domain/inbound-health.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import { chunks } from '../../shared/chunks.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { inboundHealthKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';

/** A process writes each kind at most this often for a channel: webhooks come many a second. */
const PAUSE_MS = 60_000;
const MAX_KEPT = 1_000;
/** Limit of BatchGetItem. */
const MAX_KEYS_PER_CALL = 100;

interface HealthItem {
  readonly channelId: string;
  readonly receivedAtMs?: number;
  readonly refusedAtMs?: number;
  readonly fault?: WebhookFault;
}

/** An item for each channel that has received a webhook. */
export class DynamoInboundHealths implements InboundHealths {
  readonly #table: DynamoTable;
  readonly #clock: Clock;
  readonly #written = new BoundedMap<string, number>(MAX_KEPT);

  constructor(client: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#table = new DynamoTable(client, table);
    this.#clock = clock;
  }

  async of(channelIds: readonly string[]): Promise<ReadonlyMap<string, InboundHealth>> {
    const found = new Map<string, InboundHealth>();
    for (const ids of chunks(channelIds, MAX_KEYS_PER_CALL))
      for (const item of await this.#table.getAll<HealthItem>(ids.map(inboundHealthKey))) {
        const { channelId, receivedAtMs = null, refusedAtMs, fault } = item;
        const refused = refusedAtMs === undefined || fault === undefined ? null : { atMs: refusedAtMs, reason: fault };
        found.set(channelId, { receivedAtMs, refused });
      }
    return found;
  }

  async record(channelId: string, fault: WebhookFault | null): Promise<void> {
    const nowMs = this.#clock.now();
    const kind = `${channelId} ${fault ?? ''}`;
    if ((this.#written.get(kind) ?? Number.NEGATIVE_INFINITY) > nowMs - PAUSE_MS) return;
    this.#written.set(kind, nowMs);
    const seen = fault === null ? { receivedAtMs: nowMs } : { refusedAtMs: nowMs, fault };
    await this.#table.update(inboundHealthKey(channelId), { orCreate: true, set: { channelId, ...seen } });
  }
}
