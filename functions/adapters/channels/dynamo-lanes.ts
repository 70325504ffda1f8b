import { createHash } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { QueueDepth } from '../../channels/domain/channel-ports.ts';
import {
  type Append,
  type Burial,
  type LaneAcquisition,
  LaneFull,
  type LaneOwner,
  type Lanes,
} from '../../channels/domain/delivery/delivery-ports.ts';
import { laneRefOf } from '../../channels/domain/delivery/lane-runs.ts';
import {
  DEAD_LETTER_KEPT_SECONDS,
  type DeadLetter,
  type Direction,
  type Lane,
  type LaneId,
  type LaneRef,
  OUTAGE_LETTER_SECONDS,
  type QueuedInbound,
  type WaitingLane,
} from '../../channels/domain/delivery/messages.ts';
import { LeaseLost } from '../../shared/leases/lease.ts';
import type { Backoff } from '../../shared/ports/backoff.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { ABSENT, and, atMost, type Change, equal, missing, or, PRESENT } from '../dynamodb/expressions.ts';
import {
  deadLetterKey,
  epochSeconds,
  lanePartition,
  outageLetterPartition,
  outageLetterPrefix,
  seenEventKey,
} from '../dynamodb/keys.ts';
import { FENCE, leases } from '../dynamodb/leases.ts';
import { DynamoTable, type Key } from '../dynamodb/table.ts';
import { type TransactItem, transactOrRetry, type Writes } from '../dynamodb/transactions.ts';
import {
  appendChange,
  keyOfLane,
  type LaneItem,
  laneOf,
  messageAttribute,
  messagesOf,
  refOfItem,
  sizeOf,
} from './lane-items.ts';

/** Platforms send an event again for hours at most. */
const EVENT_KEPT_SECONDS = 48 * 60 * 60;

const { acquire, held, release } = leases({ waiting: 'waiting', leased: 'leased' });

type Part = 'event' | 'lane' | 'append' | 'letter' | 'outage';

/**
 * Undelivered messages: an item for each lane, which holds its messages and its lease. One
 * write takes it with all that it holds, one takes a message out; it is deleted with the last one.
 */
export class DynamoLanes implements Lanes {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;
  readonly #ports: { readonly clock: Clock; readonly backoff: Backoff };

  constructor(
    client: DynamoDBDocumentClient,
    table: string,
    ports: { readonly clock: Clock; readonly backoff: Backoff },
  ) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
    this.#ports = ports;
  }

  accept(lane: LaneId<'inbound'>, owner: LaneOwner, message: QueuedInbound): Promise<boolean> {
    return this.#appendUnseen(message.message.eventId, { lane, owner, messages: [message] });
  }

  /** Ids of platforms do not start so. */
  appendOnce(key: string, replies: Append): Promise<boolean> {
    return this.#appendUnseen(`later reply ${key}`, replies);
  }

  async #appendUnseen(
    eventId: string,
    append: { readonly lane: LaneId; readonly owner: LaneOwner; readonly messages: Lane['messages'] },
  ): Promise<boolean> {
    const nowMs = this.#ports.clock.now();
    const hash = createHash('sha256').update(eventId).digest('base64url');
    const event = { ...seenEventKey(append.lane.channelId, hash), expiresAt: epochSeconds(nowMs) + EVENT_KEPT_SECONDS };
    const failed = await this.#transact([
      ['event', this.#table.putPart(event, or(ABSENT, atMost('expiresAt', epochSeconds(nowMs))))],
      ['append', this.#appendPart(append, nowMs)],
    ]);
    if (failed === null) return true;
    if (failed('event')) return false;
    throw new LaneFull();
  }

  async acquire<D extends Direction>(
    ref: LaneRef<D>,
    fence: string,
    nowMs: number,
    untilMs: number,
  ): Promise<LaneAcquisition<D>> {
    const isFree = or(missing('leaseUntilMs'), atMost('leaseUntilMs', nowMs));
    const isDue = or(missing('notBeforeMs'), atMost('notBeforeMs', nowMs));
    const { written, item } = await this.#table.updateItem(keyOfLane(ref), acquire(fence, untilMs, and(isFree, isDue)));
    if (written) return { kind: 'acquired', lane: laneOf(item as LaneItem, ref, fence) };
    if (item === null) return { kind: 'ended' };
    const { status, leaseUntilMs = 0, notBeforeMs = 0 } = item as LaneItem;
    if (status === 'leased' && leaseUntilMs > nowMs) return { kind: 'busy' };
    return { kind: 'waiting', untilMs: notBeforeMs };
  }

  async begin(lane: Lane): Promise<void> {
    const change = { set: { begun: lane.messages[0]?.messageId ?? '' }, condition: held(lane.fence) };
    if (!(await this.#table.update(keyOfLane(lane), change))) throw new LeaseLost();
  }

  async removeHead<D extends Direction>(lane: Lane<D>): Promise<Lane<D> | null> {
    if (lane.messages.length === 1 && (await this.#table.delete(keyOfLane(lane), isComplete(lane)))) return null;
    const { written, item } = await this.#table.updateItem(keyOfLane(lane), headRemoval(lane));
    if (!written) throw new LeaseLost();
    const next = laneOf<D>(item as LaneItem, lane, lane.fence);
    return next.messages.length > 0 ? next : this.#drop(next);
  }

  buryHead<D extends Direction>(
    lane: Lane<D>,
    letter: DeadLetter,
    { notice = null, count = 1, isOfOutage = false }: Burial = {},
  ): Promise<Lane<D> | null> {
    const diedAt = epochSeconds(Date.parse(letter.diedAt));
    const { workspaceId, deadLetterId } = letter;
    const item = {
      ...{ ...letter, expiresAt: diedAt + DEAD_LETTER_KEPT_SECONDS },
      ...deadLetterKey(workspaceId, deadLetterId),
    };
    // From when the reply was made: a letter that is put back in a long outage does not stay for ever.
    const madeAt = epochSeconds(timeOf(letter.message));
    const ofOutage = {
      ...{ ...outageLetterKey(lane, deadLetterId), workspaceId, deadLetterId },
      expiresAt: madeAt + OUTAGE_LETTER_SECONDS,
    };
    const writes = [
      ['letter', this.#table.putPart(item)] as const,
      ...(isOfOutage ? [['outage', this.#table.putPart(ofOutage)] as const] : []),
    ];
    return this.#removeHeadWith(lane, count, writes, notice);
  }

  answerHead(lane: Lane<'inbound'>, replies: Append, count = 1): Promise<Lane<'inbound'> | null> {
    return this.#removeHeadWith(lane, count, [], replies);
  }

  async wait(lane: Lane, { untilMs, attempts, failingSinceMs, previous }: Parameters<Lanes['wait']>[1]): Promise<void> {
    const { set, remove = [], ...released } = release(lane.fence);
    const failing = { messageId: lane.messages[0]?.messageId ?? '', attempts, sinceMs: failingSinceMs, previous };
    const change = { ...released, set: { ...set, notBeforeMs: untilMs, failing }, remove: [...remove, 'begun'] };
    if (!(await this.#table.update(keyOfLane(lane), change))) throw new LeaseLost();
  }

  async release(lane: Lane): Promise<void> {
    await this.#table.update(keyOfLane(lane), release(lane.fence));
  }

  async makeDue(ref: LaneRef): Promise<void> {
    await this.#table.update(keyOfLane(ref), { set: { notBeforeMs: 0 }, condition: PRESENT });
  }

  async *list(channelId: string, direction: Direction): AsyncGenerator<WaitingLane> {
    const items = this.#table.query<LaneItem & Key>({ partition: lanePartition(channelId, direction) });
    for await (const item of items) {
      const { workspaceId, status, leaseUntilMs = 0, notBeforeMs = 0, queuedAtMs, requeues } = item;
      const isLeased = status === 'leased';
      const oldest = messagesOf(item)[0];
      yield {
        ...refOfItem(item),
        ...{ workspaceId, queuedAtMs, requeues, isLeased },
        dueSinceMs: Math.max(notBeforeMs, isLeased ? leaseUntilMs : 0),
        oldestMessageAtMs: oldest === undefined ? queuedAtMs : timeOf(oldest),
      };
    }
  }

  requeue({ queuedAtMs, requeues, ...ref }: WaitingLane, nowMs: number, force: boolean): Promise<boolean> {
    const set = { queuedAtMs: nowMs, requeues: requeues + 1 };
    return this.#table.update(
      keyOfLane(ref),
      force
        ? { set: { ...set, status: 'waiting', leaseUntilMs: 0, notBeforeMs: 0 }, remove: [FENCE], condition: PRESENT }
        : { set, condition: and(PRESENT, equal('requeues', requeues), equal('queuedAtMs', queuedAtMs)) },
    );
  }

  async depth(channelId: string): Promise<QueueDepth> {
    const depth = { inbound: 0, high: 0, normal: 0, low: 0 };
    for (const direction of ['inbound', 'outbound'] as const) {
      const items = this.#table.query<LaneItem & Key>({ partition: lanePartition(channelId, direction) });
      for await (const item of items) {
        const { priority } = refOfItem(item);
        const messages = priority === null ? [] : messagesOf<'outbound'>(item);
        if (priority === null) depth.inbound += item.pending;
        for (const { replayedAs } of messages) depth[replayedAs ?? priority!] += 1;
      }
    }
    return depth;
  }

  /** A dead letter back into its lane. @returns false when it is no longer there. */
  async replay(letter: DeadLetter, append: Omit<Append, 'lane'> & { readonly lane: LaneId }): Promise<boolean> {
    const { deadLetterId } = letter;
    const key = deadLetterKey(letter.workspaceId, deadLetterId);
    const failed = await this.#transact([
      ['letter', this.#table.deletePart(key, PRESENT)],
      ['outage', this.#table.deletePart(outageLetterKey(laneRefOf(append.lane), deadLetterId))],
      ['append', this.#appendPart(append, this.#ports.clock.now())],
    ]);
    if (failed === null) return true;
    if (failed('letter')) return false;
    throw new LaneFull();
  }

  /** @returns false when it is no longer there. */
  async remove({ workspaceId, deadLetterId, ...letter }: DeadLetter): Promise<boolean> {
    const failed = await this.#transact([
      ['letter', this.#table.deletePart(deadLetterKey(workspaceId, deadLetterId), PRESENT)],
      ['outage', this.#table.deletePart(outageLetterKey(laneRefOf(letter as LaneId), deadLetterId))],
    ]);
    return failed === null;
  }

  async #removeHeadWith<D extends Direction>(
    lane: Lane<D>,
    count: number,
    more: Writes<Part>,
    append: Append | null,
  ): Promise<Lane<D> | null> {
    const nowMs = this.#ports.clock.now();
    const key = keyOfLane(lane);
    const writes = [
      ...more,
      ...(append === null ? [] : [['append', this.#appendPart(append, nowMs)] as const]),
    ] satisfies Writes<Part>;
    if (lane.messages.length === count) {
      const failed = await this.#transact([['lane', this.#table.deletePart(key, isComplete(lane))], ...writes]);
      if (failed === null) return null;
      if (failed('append')) throw new LaneFull();
    }
    const failed = await this.#transact([['lane', this.#table.updatePart(key, headRemoval(lane, count))], ...writes]);
    if (failed?.('lane')) throw new LeaseLost();
    if (failed?.('append')) throw new LaneFull();
    if (failed !== null) throw new Error('A message could not be taken out of its conversation.');
    // Read separately, since the transaction does not return messages added meanwhile.
    const item = await this.#table.get<LaneItem>(key);
    if (item === null || item[FENCE] !== lane.fence) throw new LeaseLost();
    const next = laneOf<D>(item, lane, lane.fence);
    return next.messages.length > 0 ? next : this.#drop(next);
  }

  /** Deletes an empty lane, unless a message is added at the same moment. */
  async #drop<D extends Direction>(lane: Lane<D>): Promise<Lane<D> | null> {
    if (await this.#table.delete(keyOfLane(lane), isComplete(lane))) return null;
    const item = await this.#table.get<LaneItem>(keyOfLane(lane));
    if (item === null || item[FENCE] !== lane.fence) throw new LeaseLost();
    return laneOf<D>(item, lane, lane.fence);
  }

  #appendPart({ lane, owner, messages }: Omit<Append, 'lane'> & { readonly lane: LaneId }, nowMs: number): TransactItem;
  #appendPart(
    append: { readonly lane: LaneId; readonly owner: LaneOwner; readonly messages: Lane['messages'] },
    nowMs: number,
  ): TransactItem;
  #appendPart(
    { lane, owner, messages }: { lane: LaneId; owner: LaneOwner; messages: Lane['messages'] },
    nowMs: number,
  ): TransactItem {
    return this.#table.updatePart(keyOfLane(laneRefOf(lane)), appendChange(lane, owner, messages, nowMs));
  }

  /** @returns null once everything is written; otherwise a test for the part whose condition failed. */
  async #transact(writes: Writes<Part>): Promise<((part: Part) => boolean) | null> {
    // Messages of one conversation at the same moment meet at its item.
    const cancelled = await transactOrRetry(this.#client, writes, this.#ports.backoff);
    return cancelled === null ? null : cancelled.failed;
  }
}

/** Holds for the run that has the lease while nothing was put in that it does not know. */
function isComplete({ fence, appended }: Pick<Lane, 'fence' | 'appended'>) {
  return and(held(fence), equal('appended', appended));
}

function headRemoval({ fence, messages }: Lane, count = 1): Change {
  const removed = messages.slice(0, count);
  return {
    set: { notBeforeMs: 0 },
    remove: ['failing', 'begun', ...removed.map(({ messageId }) => messageAttribute(messageId))],
    add: { pending: -removed.length, bytes: -removed.reduce((sum, message) => sum + sizeOf(message), 0) },
    condition: held(fence),
  };
}

/** Leads to a dead letter of an outage by its conversation. */
function outageLetterKey({ channelId, conversation }: LaneRef, deadLetterId: string): Key {
  return { pk: outageLetterPartition(channelId), sk: `${outageLetterPrefix(conversation)}${deadLetterId}` };
}

function timeOf(message: Lane['messages'][number]): number {
  return 'receivedAtMs' in message ? message.receivedAtMs : message.createdAtMs;
}
