import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Channel } from '../../channels/domain/channel.ts';
import type { Breaker } from '../../channels/domain/delivery/breaker.ts';
import type { Breakers, DeliveryReads } from '../../channels/domain/delivery/delivery-ports.ts';
import type { Recent } from '../../shared/recent.ts';
import { ABSENT, equal } from '../dynamodb/expressions.ts';
import { breakerKey, channelKey } from '../dynamodb/keys.ts';
import { DynamoTable, type Key } from '../dynamodb/table.ts';
import { channelOf, keepActive } from './dynamo-channels.ts';

/** Limit of BatchGetItem. */
const MAX_KEYS_PER_CALL = 100;

/** An item for each circuit that ever had an error, stored with the channels: one call reads both. */
export class DynamoBreakers implements Breakers, DeliveryReads {
  readonly #table: DynamoTable;
  readonly #recent: Recent<Channel>;

  /** @param recent shared by all that read or change channels in this process. */
  constructor(client: DynamoDBDocumentClient, table: string, recent: Recent<Channel>) {
    this.#table = new DynamoTable(client, table);
    this.#recent = recent;
  }

  async find(circuit: string): Promise<Breaker | null> {
    const item = await this.#table.get<Breaker>(breakerKey(circuit));
    return item === null ? null : breakerOf(item);
  }

  async findAll(circuits: readonly string[]): Promise<readonly Breaker[]> {
    const keys = circuits.slice(0, MAX_KEYS_PER_CALL).map(breakerKey);
    return keys.length === 0 ? [] : (await this.#table.getAll<Breaker>(keys)).map(breakerOf);
  }

  async replace(seen: Breaker | null, next: Breaker): Promise<boolean> {
    const condition = seen === null ? ABSENT : equal('version', seen.version);
    return (await this.#table.put({ ...next, ...breakerKey(next.circuit) }, condition)).written;
  }

  async channelAndBreaker(channelId: string, circuit: string) {
    const recent = this.#recent.get(channelId);
    if (recent !== null) return { channel: recent, breaker: await this.find(circuit) };
    const keep = keepActive(this.#recent, channelId);
    const [ofChannel, ofBreaker] = [channelKey(channelId), breakerKey(circuit)];
    const items = await this.#table.getAll<Key>([ofChannel, ofBreaker]);
    const channel = items.find(({ pk }) => pk === ofChannel.pk) as (Key & Channel) | undefined;
    const breaker = items.find(({ pk }) => pk === ofBreaker.pk) as (Key & Breaker) | undefined;
    return { channel: keep(channel ? channelOf(channel) : null), breaker: breaker ? breakerOf(breaker) : null };
  }
}

/** Older items have no error messages, candidate or suspects. */
function breakerOf({ circuit, state, epoch, openedAtMs, probe, lastError, version, ...more }: Breaker): Breaker {
  const { errors = [], candidate = null, suspects = [] } = more;
  return { circuit, state, epoch, errors, openedAtMs, probe, candidate, suspects, lastError, version };
}
