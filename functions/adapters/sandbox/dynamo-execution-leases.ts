import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Ending, EXECUTION_KEPT_SECONDS, type ExecutionId } from '../../sandbox/domain/execution.ts';
import type { ExecutionLease, ExecutionLeases, FoundExecution } from '../../sandbox/domain/execution-ports.ts';
import { and, type Change, type Condition, equal, missing } from '../dynamodb/expressions.ts';
import { epochSeconds, executionKey, openExecutionKey } from '../dynamodb/keys.ts';
import { FENCE, leases } from '../dynamodb/leases.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import type { ExecutionContents } from './execution-contents.ts';
import type { ExecutionItem } from './execution-items.ts';

const { acquire, release } = leases({ waiting: 'pending', leased: 'running' });

/** The leases on recorded executions, in the items that DynamoExecutions stores. */
export class DynamoExecutionLeases implements ExecutionLeases {
  readonly #table: DynamoTable;
  readonly #contents: ExecutionContents | null;

  /** @param contents null where no run is ended. */
  constructor(client: DynamoDBDocumentClient, table: string, contents: ExecutionContents | null) {
    this.#table = new DynamoTable(client, table);
    this.#contents = contents;
  }

  start(lease: ExecutionLease, nowMs: number, leaseUntilMs: number): Promise<boolean> {
    // An expired lease does not make it available: what was started once is never started again.
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

  async end(lease: ExecutionLease, ending: Ending, nowMs: number): Promise<boolean> {
    if (this.#contents === null) throw new Error('Outputs need their bucket.');
    const { stdout, stderr } = ending;
    const output = await this.#contents.keep(lease, 'output', { stdout, stderr });
    // The fencing token stays in the item: the SDK's repetition of this write must find its own work.
    const isEnded = await this.#end(lease, ending, output, nowMs, equal(FENCE, lease.fence));
    // The execution may have been removed meanwhile, and with it the objects that it had then.
    if (!isEnded && typeof output !== 'string') await this.#contents.remove(lease);
    return isEnded;
  }

  abandon({ execution, leaseUntilMs }: FoundExecution, ending: Ending, nowMs: number): Promise<boolean> {
    const { stdout, stderr } = ending;
    const unchanged = and(equal('status', execution.status), equal('leaseUntilMs', leaseUntilMs));
    return this.#end(execution, ending, JSON.stringify({ stdout, stderr }), nowMs, unchanged, [FENCE]);
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

  async #end(
    id: ExecutionId,
    { status, exitCode, seconds }: Ending,
    output: ExecutionItem['output'],
    nowMs: number,
    condition: Condition,
    remove: readonly string[] = [],
  ): Promise<boolean> {
    const expiresAt = epochSeconds(nowMs) + EXECUTION_KEPT_SECONDS;
    const isEnded = await this.#update(id, {
      set: { status, completedAt: isoTime(nowMs), exitCode, seconds, output, leaseUntilMs: 0, expiresAt },
      remove: ['program', 'isCancelled', ...remove],
      condition,
    });
    // Where this fails, the reconciler takes it off the list.
    if (isEnded) await this.#table.delete(openExecutionKey(id.executionId)).catch(() => undefined);
    return isEnded;
  }

  #update({ workspaceId, executionId }: ExecutionId, change: Change): Promise<boolean> {
    return this.#table.update(executionKey(workspaceId, executionId), change);
  }
}

const isoTime = (ms: number) => new Date(ms).toISOString();
