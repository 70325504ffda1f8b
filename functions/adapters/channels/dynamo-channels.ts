import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { CHANNEL_TYPES, type Channel, type ChannelType } from '../../channels/domain/channel.ts';
import type { Channels } from '../../channels/domain/channel-ports.ts';
import type { Backoff } from '../../shared/ports/backoff.ts';
import type { Recent } from '../../shared/recent.ts';
import { equal } from '../dynamodb/expressions.ts';
import {
  channelKey,
  channelTypeKey,
  channelTypePartition,
  OWNED_CHANNELS,
  ownedChannelKey,
  workspacePartition,
} from '../dynamodb/keys.ts';
import { DynamoTable, type Key } from '../dynamodb/table.ts';
import { transactOrRetry } from '../dynamodb/transactions.ts';

interface Pointer extends Key {
  readonly channelId: string;
}

/** Limit of BatchGetItem. */
const MAX_KEYS_PER_CALL = 100;

/** An item for each channel, with a pointer in its workspace and one of its type. */
export class DynamoChannels implements Channels {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;
  readonly #recent: Recent<Channel>;
  readonly #backoff: Backoff;

  /** @param recent shared by all that read or change channels in this process. */
  constructor(
    client: DynamoDBDocumentClient,
    table: string,
    { recent, backoff }: { readonly recent: Recent<Channel>; readonly backoff: Backoff },
  ) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
    this.#recent = recent;
    this.#backoff = backoff;
  }

  async find(channelId: string): Promise<Channel | null> {
    const keep = keepActive(this.#recent, channelId);
    const item = await this.#table.get<Channel>(channelKey(channelId));
    return keep(item === null ? null : channelOf(item));
  }

  recent(channelId: string): Channel | null {
    return this.#recent.get(channelId);
  }

  async idsOfType(type: ChannelType, limit: number): Promise<string[]> {
    const { items } = await this.#table.page<Pointer>({ partition: channelTypePartition(type), limit });
    return items.map(({ channelId }) => channelId);
  }

  async list(workspaceId: string, limit: number, before: string | null): Promise<Channel[]> {
    const found: Channel[] = [];
    let after: Key | undefined = before === null ? undefined : ownedChannelKey(workspaceId, before);
    do {
      const { items, last } = await this.#table.page<Pointer>({
        partition: workspacePartition(workspaceId),
        prefix: OWNED_CHANNELS,
        descending: true,
        limit: Math.min(MAX_KEYS_PER_CALL, limit - found.length),
        ...(after && { after }),
      });
      found.push(...(await this.#existing(items)));
      after = last;
      // A pointer that outlives its channel is passed over.
    } while (found.length < limit && after !== undefined);
    return found;
  }

  async create(channel: Channel): Promise<void> {
    const { workspaceId, channelId, type } = channel;
    const cancelled = await transactOrRetry(
      this.#client,
      [
        ['channel', this.#table.putPart({ ...channel, ...channelKey(channelId) })],
        ['owned', this.#table.putPart({ channelId, ...ownedChannelKey(workspaceId, channelId) })],
        ['type', this.#table.putPart({ channelId, ...channelTypeKey(type, channelId) })],
      ],
      this.#backoff,
    );
    if (cancelled !== null) throw new Error(`Channel ${channelId} could not be stored.`);
  }

  async replace(seen: Channel, next: Channel): Promise<boolean> {
    const item = { ...next, ...channelKey(seen.channelId) };
    try {
      return (await this.#table.put(item, equal('version', seen.version))).written;
    } finally {
      this.#recent.forget(seen.channelId);
    }
  }

  async remove({ workspaceId, channelId, type, version }: Channel): Promise<boolean> {
    const writes = [
      ['channel', this.#table.deletePart(channelKey(channelId), equal('version', version))],
      ['owned', this.#table.deletePart(ownedChannelKey(workspaceId, channelId))],
      ['type', this.#table.deletePart(channelTypeKey(type, channelId))],
    ] as const;
    try {
      return (await transactOrRetry(this.#client, writes, this.#backoff)) === null;
    } finally {
      this.#recent.forget(channelId);
    }
  }

  async *allIds(): AsyncGenerator<string> {
    for (const type of CHANNEL_TYPES)
      for await (const { channelId } of this.#table.query<Pointer>({ partition: channelTypePartition(type) }))
        yield channelId;
  }

  /** In the order of the pointers. */
  async #existing(pointers: readonly Pointer[]): Promise<Channel[]> {
    if (pointers.length === 0) return [];
    const items = await this.#table.getAll<Channel>(pointers.map(({ channelId }) => channelKey(channelId)));
    const found = new Map(items.map((item) => [item.channelId, channelOf(item)]));
    return pointers.flatMap(({ channelId }) => found.get(channelId) ?? []);
  }
}

/** Starts to read a channel. @returns what keeps it where it is active, and gives it back. */
export function keepActive(recent: Recent<Channel>, channelId: string): (channel: Channel | null) => Channel | null {
  const keep = recent.reading(channelId);
  return (channel) => {
    if (channel?.status === 'active') keep(channel);
    return channel;
  };
}

/** An item without its keys. */
export function channelOf(item: Channel): Channel {
  const { workspaceId, channelId, type, name, applicationId, secrets, settings } = item;
  const { status, disabledReason, problem = null, version, createdAt, updatedAt } = item;
  return {
    ...{ workspaceId, channelId, type, name, applicationId, secrets, settings },
    ...{ status, disabledReason, problem, version, createdAt, updatedAt },
  };
}
