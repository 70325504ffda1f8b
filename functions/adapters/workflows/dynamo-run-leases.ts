import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { MAX_RETENTION_DAYS } from '../../accounts/domain/data-settings.ts';
import type { DecisionNotice } from '../../accounts/domain/decision-mail.ts';
import { LeaseLost } from '../../shared/leases/lease.ts';
import type { Backoff } from '../../shared/ports/backoff.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { EngineEvent } from '../../workflows/domain/engine/engine-events.ts';
import { type Decision, hasEnded, type RunHead, type RunId, type RunLease } from '../../workflows/domain/run/run.ts';
import { type Rest, type RunLeases, type SaidChange, SaidChanged } from '../../workflows/domain/run/run-ports.ts';
import { outboxItem } from '../accounts/dynamo-outbox.ts';
import { usagePart } from '../accounts/dynamo-usage.ts';
import { ABSENT, and, type Change, type Condition, equal, missing, or } from '../dynamodb/expressions.ts';
import { epochSeconds, listedRunKey, openRunKey, runKey, runPartition } from '../dynamodb/keys.ts';
import { FENCE, leases } from '../dynamodb/leases.ts';
import { DynamoTable, type Key } from '../dynamodb/table.ts';
import { transact, transactOrRetry, type Writes } from '../dynamodb/transactions.ts';
import type { RunContents } from './run-contents.ts';
import { entryItem, expiryOf, type HeadItem, headOf } from './run-items.ts';

/** Changes of one run at the same moment are few, and over within a few tries. */
const MAX_ATTEMPTS = 6;

const { acquire, free, held } = leases({ waiting: 'queued', leased: 'running' });

export interface LeasePorts {
  readonly contents: RunContents;
  readonly backoff: Backoff;
  readonly clock: Clock;
  /** Of the function that notifies people of approvals and forms by mail. */
  readonly outboxTable?: string;
}

type Part = 'head' | 'entry' | 'open' | 'closed' | 'usage' | 'list';

/**
 * The leases on runs, in the items that DynamoRuns stores. The record has one writer: an entry is stored only if it does not exist yet,
 * so that of two functions which both believe they hold the lease only one can continue.
 */
export class DynamoRunLeases implements RunLeases {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;
  readonly #usage: DynamoTable | null;
  readonly #outbox: DynamoTable | null;
  readonly #ports: LeasePorts;

  /** @param usageTable null where no runs end. */
  constructor(client: DynamoDBDocumentClient, table: string, usageTable: string | null, ports: LeasePorts) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
    this.#usage = usageTable === null ? null : new DynamoTable(client, usageTable);
    this.#outbox = ports.outboxTable === undefined ? null : new DynamoTable(client, ports.outboxTable);
    this.#ports = ports;
  }

  async acquire(lease: RunLease, nowMs: number): Promise<boolean> {
    const { fence, untilMs } = lease;
    return this.#change(lease, (seen) => {
      const isFree = !hasEnded(seen) && (seen.status !== 'running' || seen.leaseUntilMs <= nowMs);
      if (!isFree) return null;
      const { set, condition } = acquire(fence, untilMs, or(equal('status', 'waiting'), free(nowMs)));
      return { dueAtMs: untilMs, change: { set, ...(condition && { condition }) } };
    });
  }

  async append(
    lease: RunLease,
    entry: number,
    events: readonly EngineEvent[],
    mails: readonly DecisionNotice[] = [],
  ): Promise<number> {
    const { contents, clock } = this.#ports;
    const item = await entryItem(lease, entry, events, { fence: lease.fence, atMs: clock.now() }, contents);
    if (mails.length > 0) return this.#appendWith(mails, item, lease, entry);
    const { written, item: there } = await this.#table.put(item, ABSENT);
    // The SDK repeats a write whose response was lost, and finds its own work.
    if (!written && there?.owner !== lease.fence) throw new LeaseLost();
    return entry + 1;
  }

  /** All of it or nothing: a mail that was stored alone would be stored again by the next function. */
  async #appendWith(
    mails: readonly DecisionNotice[],
    item: Awaited<ReturnType<typeof entryItem>>,
    { fence }: RunLease,
    entry: number,
  ): Promise<number> {
    if (this.#outbox === null) throw new Error('This function sends no mails.');
    const outbox = this.#outbox;
    const cancelled = await transactOrRetry(
      this.#client,
      [
        ['entry', this.#table.putPart(item)],
        ...mails.map((mail) => ['mail', outbox.putPart(outboxItem(mail))] as const),
      ],
      this.#ports.backoff,
    );
    if (cancelled !== null && (await this.#table.get<{ owner?: string } & Key>(item))?.owner !== fence)
      throw new LeaseLost();
    return entry + 1;
  }

  async rest(
    lease: RunLease,
    entry: number,
    events: readonly EngineEvent[],
    rest: Rest,
    said: SaidChange | null = null,
  ): Promise<number> {
    const { workspaceId, runId, fence, untilMs } = lease;
    const atMs = this.#ports.clock.now();
    const isChanged = events.length > 0;
    const item = isChanged && (await entryItem(lease, entry, events, { fence, atMs }, this.#ports.contents));
    const next = rest.kind === 'ended' ? null : rest.dueAtMs;
    const writes: Writes<Part> = [
      ...(item ? ([['entry', this.#table.putPart(item)]] as const) : []),
      ['head', this.#table.updatePart(runKey(workspaceId, runId), withSaid(restChange(rest), held(fence), said))],
      ...this.#moved({ workspaceId, runId }, untilMs, next, atMs),
      ...(rest.kind === 'ended' && rest.usage && this.#usage
        ? [['usage', usagePart(this.#usage, rest.usage)] as const]
        : []),
      ...this.#listed(lease, rest, atMs),
    ];
    for (let attempt = 1; ; attempt++) {
      const cancelled = await transact(this.#client, writes);
      if (cancelled === null) {
        if (rest.kind === 'ended') await this.#shorten(lease, rest.atMs);
        return entry + (isChanged ? 1 : 0);
      }
      if (cancelled.failed('head') && said !== null && (await this.#holds(lease))) throw new SaidChanged();
      if (cancelled.failed('head') || cancelled.failed('entry')) throw new LeaseLost();
      if (attempt === MAX_ATTEMPTS) throw new Error(`Run ${runId} met other changes each time.`);
      await this.#ports.backoff.wait(attempt);
    }
  }

  /** The pointer by which a run is found that waits for people or has not ended well. */
  #listed({ workspaceId, runId, keptDays = MAX_RETENTION_DAYS }: RunLease, rest: Rest, nowMs: number): Writes<'list'> {
    const status = rest.kind === 'ended' ? rest.ending.status : rest.kind;
    if (status === 'succeeded' || status === 'queued') return [];
    const expiresAt = rest.kind === 'ended' ? epochSeconds(rest.atMs) + keptDays * 24 * 60 * 60 : expiryOf(nowMs);
    return [
      ['list', this.#table.putPart({ ...listedRunKey(workspaceId, status, runId), workspaceId, runId, expiresAt })],
    ];
  }

  /** Where the workspace keeps less than usual, the records of a run expire so long after its end. A crash leaves them for the days of a wait more. */
  async #shorten({ workspaceId, runId, keptDays = MAX_RETENTION_DAYS }: RunLease, endedAtMs: number): Promise<void> {
    if (keptDays >= MAX_RETENTION_DAYS) return;
    const expiresAt = epochSeconds(endedAtMs) + keptDays * 24 * 60 * 60;
    for await (const { pk, sk } of this.#table.query<Key>({ partition: runPartition(workspaceId, runId) }))
      await this.#table.update({ pk, sk }, { set: { expiresAt } });
  }

  leave(id: RunId, said: number): Promise<boolean> {
    return this.#change(id, (seen) => (hasEnded(seen) ? null : { dueAtMs: seen.dueAtMs, change: { set: { said } } }));
  }

  async #holds({ workspaceId, runId, fence }: RunLease): Promise<boolean> {
    return (await this.#table.get<Key & { [FENCE]?: string }>(runKey(workspaceId, runId)))?.[FENCE] === fence;
  }

  async release(lease: RunLease, dueAtMs: number): Promise<void> {
    await this.#change(lease, (seen) =>
      seen.status === 'running'
        ? {
            dueAtMs,
            change: { set: { status: 'queued', leaseUntilMs: 0 }, remove: [FENCE], condition: held(lease.fence) },
          }
        : null,
    );
  }

  cancel(id: RunId, by: string, dueAtMs: number): Promise<boolean> {
    return this.#change(id, (seen) => {
      if (hasEnded(seen)) return null;
      const isIdle = seen.status !== 'running';
      return {
        dueAtMs: isIdle ? dueAtMs : seen.dueAtMs,
        change: { set: { cancelledBy: by, ...(isIdle && { status: 'queued' }) } },
      };
    });
  }

  decide(id: RunId, key: string, decision: Decision, dueAtMs: number): Promise<boolean> {
    return this.#change(id, (seen) => {
      if (hasEnded(seen) || Object.hasOwn(seen.decisions, key)) return null;
      const isIdle = seen.status === 'waiting';
      return {
        dueAtMs: isIdle ? dueAtMs : seen.dueAtMs,
        change: { set: { decisions: { ...seen.decisions, [key]: decision }, ...(isIdle && { status: 'queued' }) } },
      };
    });
  }

  async requests({ workspaceId, runId }: RunId): Promise<Pick<RunHead, 'cancelledBy' | 'decisions'> | null> {
    return this.#table.get<HeadItem>(runKey(workspaceId, runId), {
      consistent: false,
      attributes: ['cancelledBy', 'decisions'],
    });
  }

  line(seen: RunHead, dueAtMs: number): Promise<boolean> {
    return this.#queue(seen, dueAtMs, 0);
  }

  requeue(seen: RunHead, dueAtMs: number): Promise<boolean> {
    return this.#queue(seen, dueAtMs, seen.requeues + 1);
  }

  #queue(seen: RunHead, dueAtMs: number, requeues: number): Promise<boolean> {
    const isSame = (now: RunHead) => now.status === seen.status && now.dueAtMs === seen.dueAtMs;
    return this.#change(seen, (now) =>
      isSame(now)
        ? { dueAtMs, change: { set: { status: 'queued', leaseUntilMs: 0, requeues }, remove: [FENCE] } }
        : null,
    );
  }

  /**
   * A change that rests on the run as it is read for it, with the move of its pointer. @returns false when `decide` gives
   * null for it, or the run is gone.
   */
  async #change(
    { workspaceId, runId }: RunId,
    decide: (seen: RunHead) => { readonly dueAtMs: number; readonly change: Change } | null,
  ): Promise<boolean> {
    const key = runKey(workspaceId, runId);
    for (let attempt = 1; ; attempt++) {
      const item = await this.#table.get<HeadItem>(key);
      const decided = item === null ? null : decide(headOf(item));
      if (item === null || decided === null) return false;
      const { dueAtMs, change } = decided;
      const unchanged: Condition = and(
        equal('status', item.status),
        equal('dueAtMs', item.dueAtMs),
        equal('changes', item.changes),
      );
      const conditions = change.condition ? and(unchanged, change.condition) : unchanged;
      const update: Change = {
        ...change,
        set: { ...change.set, dueAtMs },
        increment: { changes: 1 },
        condition: conditions,
      };
      const isResumed = item.status === 'waiting' && (change.set?.status ?? 'waiting') !== 'waiting';
      const cancelled = await transact<Part>(this.#client, [
        ['head', this.#table.updatePart(key, update)],
        ...(isResumed ? [['list', this.#table.deletePart(listedRunKey(workspaceId, 'waiting', runId))] as const] : []),
        ...(dueAtMs === item.dueAtMs
          ? []
          : this.#moved({ workspaceId, runId }, item.dueAtMs, dueAtMs, item.createdAtMs)),
      ]);
      if (cancelled === null) return true;
      if (attempt === MAX_ATTEMPTS) throw new Error(`Run ${runId} met other changes each time.`);
      await this.#ports.backoff.wait(attempt);
    }
  }

  #moved({ workspaceId, runId }: RunId, fromMs: number, toMs: number | null, atMs: number): Writes<'open' | 'closed'> {
    const closed = ['closed', this.#table.deletePart(openRunKey(fromMs, runId))] as const;
    if (toMs === fromMs) return [];
    if (toMs === null) return [closed];
    const pointer = { workspaceId, runId, dueAtMs: toMs, expiresAt: expiryOf(atMs) };
    return [closed, ['open', this.#table.putPart({ ...openRunKey(toMs, runId), ...pointer })]];
  }
}

function withSaid(change: Change, condition: Condition, said: SaidChange | null): Change {
  if (said === null) return { ...change, condition };
  const { before, after } = said;
  const isSame = before === null ? missing('said') : equal('said', before);
  return {
    ...change,
    set: { ...change.set, ...(after !== null && { said: after }) },
    condition: and(condition, isSame),
  };
}

function restChange(rest: Rest): Change {
  const over = { leaseUntilMs: 0, requeues: 0 };
  switch (rest.kind) {
    case 'ended': {
      const { status } = rest.ending;
      return { set: { ...over, status, ending: rest.ending, finishedAtMs: rest.atMs }, remove: [FENCE] };
    }
    case 'waiting':
    case 'queued':
      return { set: { ...over, status: rest.kind, dueAtMs: rest.dueAtMs }, remove: [FENCE] };
  }
}
