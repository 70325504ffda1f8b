import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { HoldEnd } from '../../accounts/domain/hold.ts';
import type { StoredEnd } from '../../accounts/domain/hold-funds.ts';
import type { UsageEvent } from '../../accounts/domain/usage.ts';
import { type Ending, EXECUTION_KEPT_SECONDS, type ExecutionId } from '../../sandbox/domain/execution.ts';
import type { ExecutionLease, ExecutionLeases, FoundExecution } from '../../sandbox/domain/execution-ports.ts';
import { type HoldTables, holdEndWrites } from '../accounts/dynamo-holds.ts';
import { usagePart } from '../accounts/dynamo-usage.ts';
import { and, type Change, type Condition, equal, missing } from '../dynamodb/expressions.ts';
import { epochSeconds, executionKey, openExecutionKey } from '../dynamodb/keys.ts';
import { FENCE, leases } from '../dynamodb/leases.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { transact } from '../dynamodb/transactions.ts';
import type { ExecutionContents } from './execution-contents.ts';
import type { ExecutionItem } from './execution-items.ts';

/** Runs of a workspace that end at the same moment may meet at a counter, which each tries another time then. */
const MAX_ATTEMPTS = 8;
const CONFLICT_DELAY_MS = 50;

const { acquire, release } = leases({ waiting: 'pending', leased: 'running' });

/** The leases on recorded executions, in the items that DynamoExecutions stores. */
export class DynamoExecutionLeases implements ExecutionLeases {
  readonly #table: DynamoTable;
  readonly #client: DynamoDBDocumentClient;
  readonly #usage: DynamoTable | null;
  readonly #contents: ExecutionContents | null;
  readonly #accounts: HoldTables | null;

  /**
   * @param contents @param usageTable both null where no run is ended.
   * @param accounts null where runs are free.
   */
  constructor(
    client: DynamoDBDocumentClient,
    table: string,
    contents: ExecutionContents | null,
    usageTable: string | null,
    accounts: HoldTables | null = null,
  ) {
    this.#accounts = accounts;
    this.#client = client;
    this.#usage = usageTable === null ? null : new DynamoTable(client, usageTable);
    this.#table = new DynamoTable(client, table);
    this.#contents = contents;
  }

  start(lease: ExecutionLease, nowMs: number, leaseUntilMs: number): Promise<boolean> {
    // An expired lease does not make it pending again: a started execution is never started twice.
    const isPending = and(equal('status', 'pending'), missing('isCancelled'));
    const { set, condition } = acquire(lease.fence, leaseUntilMs, isPending);
    return this.#update(lease, { set: { ...set, startedAt: isoTime(nowMs) }, ...(condition && { condition }) });
  }

  async release(lease: ExecutionLease): Promise<void> {
    const change = release(lease.fence);
    await this.#update(lease, { ...change, remove: [...(change.remove ?? []), 'startedAt'] });
  }

  async isWanted({ fence, workspaceId, executionId }: ExecutionLease): Promise<boolean> {
    const item = await this.#table.get<Partial<ExecutionItem>>(executionKey(workspaceId, executionId), {
      consistent: false,
      attributes: ['status', FENCE, 'isCancelled'],
    });
    return item?.status === 'running' && item[FENCE] === fence && item.isCancelled !== true;
  }

  async end(lease: ExecutionLease, ending: Ending, nowMs: number, usage: UsageEvent | null): Promise<boolean> {
    const outcome = await this.#endWith(lease, ending, nowMs, async (change) => {
      const isEnded = await (usage === null
        ? this.#endUncounted(lease, change)
        : this.#endCounted(lease, change, usage));
      return isEnded ? 'ended' : 'gone';
    });
    return outcome === 'ended';
  }

  endPaid(lease: ExecutionLease, ending: Ending, payment: HoldEnd): Promise<StoredEnd> {
    const accounts = this.#accounts;
    if (accounts === null) throw new Error('A run is paid from the table of accounts.');
    return this.#endWith(lease, ending, payment.nowMs, async (change) => {
      const cancelled = await transact(this.#client, [
        ['execution', this.#table.updatePart(executionKey(lease.workspaceId, lease.executionId), change)],
        ['open', this.#table.deletePart(openExecutionKey(lease.executionId))],
        ...holdEndWrites(this.#client, accounts, payment),
      ]);
      if (cancelled === null) return 'ended';
      if (cancelled.failed('execution')) return 'gone';
      return cancelled.failed('hold') ? 'lost' : 'conflict';
    });
  }

  /** Keeps the output of a run that ends. */
  async #endWith(
    lease: ExecutionLease,
    ending: Ending,
    nowMs: number,
    store: (change: Change) => Promise<StoredEnd>,
  ): Promise<StoredEnd> {
    if (this.#contents === null) throw new Error('Outputs need their bucket.');
    const { status: _, exitCode: __, seconds: ___, ...printed } = ending;
    const output = await this.#contents.keep(lease, 'output', printed);
    // The fencing token stays in the item: the SDK's repetition of this write must find its own work.
    const outcome = await store(endChange(ending, output, nowMs, equal(FENCE, lease.fence)));
    // The execution may have been removed meanwhile, and with it the objects that it had then.
    if (outcome === 'gone' && typeof output !== 'string') await this.#contents.remove(lease);
    return outcome;
  }

  async abandon({ execution, leaseUntilMs }: FoundExecution, ending: Ending, nowMs: number): Promise<boolean> {
    const { stdout, stderr } = ending;
    const unchanged = and(equal('status', execution.status), equal('leaseUntilMs', leaseUntilMs));
    const change = endChange(ending, JSON.stringify({ stdout, stderr }), nowMs, unchanged, [FENCE]);
    return this.#endUncounted(execution, change);
  }

  cancel(id: ExecutionId): Promise<boolean> {
    return this.#update(id, { set: { isCancelled: true }, condition: equal('status', 'running') });
  }

  requeue({ execution, requeues }: FoundExecution, nowMs: number): Promise<boolean> {
    return this.#update(execution, {
      set: { queuedAtMs: nowMs, requeues: requeues + 1 },
      condition: and(equal('status', 'pending'), equal('requeues', requeues)),
    });
  }

  async #endUncounted(id: ExecutionId, change: Change): Promise<boolean> {
    const isEnded = await this.#update(id, change);
    if (isEnded) await this.#close(id);
    return isEnded;
  }

  /** Ends it, counts it and takes it off the list in one transaction. @throws Error when others were in the way each time */
  async #endCounted(lease: ExecutionLease, change: Change, usage: UsageEvent): Promise<boolean> {
    if (this.#usage === null) throw new Error('A run is counted in the table of usage.');
    const key = executionKey(lease.workspaceId, lease.executionId);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const cancelled = await transact(this.#client, [
        ['execution', this.#table.updatePart(key, change)],
        ['usage', usagePart(this.#usage, usage)],
        ['open', this.#table.deletePart(openExecutionKey(lease.executionId))],
      ]);
      if (cancelled === null) return true;
      if (cancelled.failed('execution')) return false;
      await sleep(attempt * CONFLICT_DELAY_MS * Math.random());
    }
    throw new Error(`The end of ${lease.executionId} met other transactions each time.`);
  }

  /** Where this fails, the reconciler takes it off the list. */
  async #close({ executionId }: ExecutionId): Promise<void> {
    await this.#table.delete(openExecutionKey(executionId)).catch(() => undefined);
  }

  #update({ workspaceId, executionId }: ExecutionId, change: Change): Promise<boolean> {
    return this.#table.update(executionKey(workspaceId, executionId), change);
  }
}

function endChange(
  { status, exitCode, seconds }: Ending,
  output: ExecutionItem['output'],
  nowMs: number,
  condition: Condition,
  remove: readonly string[] = [],
): Change {
  const expiresAt = epochSeconds(nowMs) + EXECUTION_KEPT_SECONDS;
  return {
    set: { status, completedAt: isoTime(nowMs), exitCode, seconds, output, leaseUntilMs: 0, expiresAt },
    remove: ['program', 'isCancelled', ...remove],
    condition,
  };
}

const isoTime = (ms: number) => new Date(ms).toISOString();
