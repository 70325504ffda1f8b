import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DeadLetterFilter, DeadLetters, LaneOwner } from '../../channels/domain/delivery/delivery-ports.ts';
import type { DeadLetter, LaneId, LaneRef } from '../../channels/domain/delivery/messages.ts';
import { chunks } from '../../shared/chunks.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { above, and, below, type Condition, equal } from '../dynamodb/expressions.ts';
import {
  DEAD_LETTERS,
  deadLetterKey,
  epochSeconds,
  outageLetterPartition,
  outageLetterPrefix,
  workspacePartition,
} from '../dynamodb/keys.ts';
import { DynamoTable, type Key } from '../dynamodb/table.ts';
import type { DynamoLanes } from './dynamo-lanes.ts';

/** Items that are read at a time where a filter passes over some. */
const PAGE_SIZE = 200;

/** Limit of BatchGetItem. */
const MAX_KEYS_PER_CALL = 100;

/** Leads to a dead letter of an outage. */
interface OutagePointer extends Key {
  readonly workspaceId: string;
  readonly deadLetterId: string;
}

/** Messages that were given up, those of a workspace in the order of time. */
export class DynamoDeadLetters implements DeadLetters {
  readonly #table: DynamoTable;
  readonly #lanes: Pick<DynamoLanes, 'replay' | 'remove'>;
  readonly #clock: Clock;

  constructor(
    client: DynamoDBDocumentClient,
    table: string,
    { lanes, clock }: { readonly lanes: Pick<DynamoLanes, 'replay' | 'remove'>; readonly clock: Clock },
  ) {
    this.#table = new DynamoTable(client, table);
    this.#lanes = lanes;
    this.#clock = clock;
  }

  async find(workspaceId: string, deadLetterId: string): Promise<DeadLetter | null> {
    const item = await this.#table.get<DeadLetter>(deadLetterKey(workspaceId, deadLetterId));
    return item === null ? null : letterOf(item);
  }

  list(workspaceId: string, filter: DeadLetterFilter, limit: number, before: string | null): Promise<DeadLetter[]> {
    return this.#list(workspaceId, filter, limit, { from: before, descending: true });
  }

  listOldest(
    workspaceId: string,
    filter: DeadLetterFilter,
    limit: number,
    after: string | null,
  ): Promise<DeadLetter[]> {
    return this.#list(workspaceId, filter, limit, { from: after, descending: false });
  }

  async #list(
    workspaceId: string,
    filter: DeadLetterFilter,
    limit: number,
    { from, descending }: { readonly from: string | null; readonly descending: boolean },
  ): Promise<DeadLetter[]> {
    const found: DeadLetter[] = [];
    const condition = conditionOf(filter);
    let after: Key | undefined = from === null ? undefined : deadLetterKey(workspaceId, from);
    do {
      const { items, last } = await this.#table.page<DeadLetter>({
        partition: workspacePartition(workspaceId),
        prefix: DEAD_LETTERS,
        descending,
        limit: condition === null ? limit - found.length : PAGE_SIZE,
        ...(condition && { filter: condition }),
        ...(after && { after }),
      });
      found.push(...items.map(letterOf));
      after = last;
    } while (found.length < limit && after !== undefined);
    return found.slice(0, limit);
  }

  ofOutage({ channelId, conversation }: LaneRef, limit: number): Promise<DeadLetter[]> {
    return this.#ofOutage(channelId, outageLetterPrefix(conversation), limit);
  }

  ofChannelOutage(channelId: string, limit: number): Promise<DeadLetter[]> {
    return this.#ofOutage(channelId, '', limit);
  }

  async #ofOutage(channelId: string, prefix: string, limit: number): Promise<DeadLetter[]> {
    const { items } = await this.#table.page<OutagePointer>({
      partition: outageLetterPartition(channelId),
      ...(prefix !== '' && { prefix }),
      limit,
      // Items are removed some time after they have expired only.
      filter: above('expiresAt', epochSeconds(this.#clock.now())),
    });
    const found: DeadLetter[] = [];
    for (const some of chunks(items, MAX_KEYS_PER_CALL)) {
      const keys = some.map(({ workspaceId, deadLetterId }) => deadLetterKey(workspaceId, deadLetterId));
      found.push(...(await this.#table.getAll<DeadLetter & Key>(keys)));
    }
    return found.map(letterOf).sort((a, b) => (a.deadLetterId < b.deadLetterId ? -1 : 1));
  }

  replay(letter: DeadLetter, lane: LaneId, owner: LaneOwner): Promise<boolean> {
    return this.#lanes.replay(letter, { lane, owner, messages: [letter.message] } as Parameters<
      DynamoLanes['replay']
    >[1]);
  }

  remove(letter: DeadLetter): Promise<boolean> {
    return this.#lanes.remove(letter);
  }
}

function conditionOf({ channelId, type, direction, reason, since, until }: DeadLetterFilter): Condition | null {
  const conditions = [
    ...(channelId === undefined ? [] : [equal('channelId', channelId)]),
    ...(type === undefined ? [] : [equal('type', type)]),
    ...(direction === undefined ? [] : [equal('direction', direction)]),
    ...(reason === undefined ? [] : [equal('reason', reason)]),
    ...(since === undefined ? [] : [above('diedAt', since)]),
    ...(until === undefined ? [] : [below('diedAt', until)]),
  ];
  return conditions.length === 0 ? null : and(...conditions);
}

function letterOf(item: DeadLetter): DeadLetter {
  const { workspaceId, deadLetterId, channelId, type, direction, priority } = item;
  const { conversationId, reason, detail = null, attempts, message, diedAt } = item;
  return {
    ...{ workspaceId, deadLetterId, channelId, type, direction, priority },
    ...{ conversationId, reason, detail, attempts, message, diedAt },
  };
}
