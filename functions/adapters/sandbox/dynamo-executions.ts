import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { EXECUTION_KEPT_SECONDS, type ExecutionId } from '../../sandbox/domain/execution.ts';
import type { Executions, FoundExecution, NewExecution } from '../../sandbox/domain/execution-ports.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { epochSeconds, executionKey, openExecutionKey, sessionExecutionKey } from '../dynamodb/keys.ts';
import { FENCE } from '../dynamodb/leases.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { transactOrRetry } from '../dynamodb/transactions.ts';
import type { ExecutionContents } from './execution-contents.ts';
import { type ExecutionItem, foundOf, isExecutionId, isExpired } from './execution-items.ts';

/** An execution that has not ended by then never will: its reconciler has been off for a day. */
const UNFINISHED_KEPT_SECONDS = 2 * EXECUTION_KEPT_SECONDS;

/** Recorded executions in a table, an item each; programs and outputs that are too large for it elsewhere. */
export class DynamoExecutions implements Executions {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;
  readonly #contents: ExecutionContents | null;
  readonly #clock: Clock;

  /** @param contents null where neither programs nor outputs are read or written. */
  constructor(client: DynamoDBDocumentClient, table: string, contents: ExecutionContents | null, clock: Clock) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
    this.#contents = contents;
    this.#clock = clock;
  }

  async create(created: NewExecution): Promise<void> {
    const { sessionId, keyId, startedAt, completedAt, exitCode, seconds, ...execution } = created.execution;
    const { workspaceId, executionId } = execution;
    const item: ExecutionItem = {
      ...execution,
      ...(sessionId !== null && { sessionId }),
      ...(keyId !== null && { keyId }),
      ...(startedAt !== null && { startedAt }),
      ...('program' in created
        ? { program: await this.#stored.keep(execution, 'program', created.program), queuedAtMs: created.queuedAtMs }
        : { [FENCE]: created.lease.fence, queuedAtMs: 0 }),
      leaseUntilMs: 'program' in created ? 0 : created.leaseUntilMs,
      requeues: 0,
      expiresAt: epochSeconds(Date.parse(execution.createdAt)) + UNFINISHED_KEPT_SECONDS,
    };
    const pointer = { workspaceId, executionId, expiresAt: item.expiresAt };
    const put = this.#table.putPart.bind(this.#table);
    const cancelled = await transactOrRetry(this.#client, [
      ['execution', put({ ...executionKey(workspaceId, executionId), ...item })],
      ['open', put({ ...openExecutionKey(executionId), ...pointer })],
      ...(sessionId === null
        ? []
        : [['session', put({ ...sessionExecutionKey(workspaceId, sessionId, executionId), ...pointer })] as const]),
    ]);
    if (cancelled !== null) throw new Error(`Execution ${executionId} could not be stored.`);
  }

  async find(id: ExecutionId): Promise<FoundExecution | null> {
    const item = await this.#item(id);
    return item && foundOf(item);
  }

  async findWithProgram(id: ExecutionId) {
    const item = await this.#item(id);
    return item && { ...foundOf(item), program: await this.#stored.read(id, 'program', item.program) };
  }

  async findWithOutput(id: ExecutionId) {
    const item = await this.#item(id);
    return item && { ...foundOf(item), output: await this.#stored.read(id, 'output', item.output) };
  }

  async remove({ workspaceId, executionId, sessionId }: Parameters<Executions['remove']>[0]): Promise<void> {
    // First: from now on it is not started any more, and a run of it is no longer wanted.
    await this.#table.delete(executionKey(workspaceId, executionId));
    await this.#stored.remove({ workspaceId, executionId });
    await this.#table.delete(openExecutionKey(executionId));
    // Last: as long as it is there, another removal of the session gets here again.
    if (sessionId !== null) await this.#table.delete(sessionExecutionKey(workspaceId, sessionId, executionId));
  }

  async #item(id: ExecutionId): Promise<ExecutionItem | null> {
    if (!isExecutionId(id)) return null;
    const item = await this.#table.get<ExecutionItem>(executionKey(id.workspaceId, id.executionId));
    return item === null || isExpired(item, this.#clock.now()) ? null : item;
  }

  get #stored(): ExecutionContents {
    if (this.#contents === null) throw new Error('Programs and outputs need their bucket.');
    return this.#contents;
  }
}
