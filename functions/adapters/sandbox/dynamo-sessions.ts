import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Execution, ExecutionId } from '../../sandbox/domain/execution.ts';
import type { SessionId, Sessions } from '../../sandbox/domain/execution-ports.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { executionKey, sessionExecutionKey, sessionPartition } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { type ExecutionItem, executionOf, isExpired } from './execution-items.ts';

/** Limit of BatchGetItem; without programs and outputs, 100 items are far from its limit of bytes. */
const MAX_KEYS_PER_CALL = 100;

/** The pointers that DynamoExecutions stores for the executions of sessions. */
export class DynamoSessions implements Sessions {
  readonly #table: DynamoTable;
  readonly #clock: Clock;

  constructor(client: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#table = new DynamoTable(client, table);
    this.#clock = clock;
  }

  async executions(session: SessionId, limit: number, before: string | null): Promise<Execution[]> {
    const { workspaceId, sessionId } = session;
    const partition = sessionPartition(workspaceId, sessionId);
    const found: Execution[] = [];
    let after = before === null ? undefined : sessionExecutionKey(workspaceId, sessionId, before);
    do {
      const { items, last } = await this.#table.page<ExecutionId>({
        partition,
        descending: true,
        limit: Math.min(MAX_KEYS_PER_CALL, limit - found.length),
        ...(after && { after }),
      });
      found.push(...(await this.#existing(items)));
      after = last;
      // A pointer may outlive its execution.
    } while (found.length < limit && after !== undefined);
    return found;
  }

  async *executionIds({ workspaceId, sessionId }: SessionId): AsyncGenerator<ExecutionId> {
    const pointers = this.#table.query<ExecutionId>({ partition: sessionPartition(workspaceId, sessionId) });
    for await (const { executionId } of pointers) yield { workspaceId, executionId };
  }

  /** In the order of the ids. */
  async #existing(ids: readonly ExecutionId[]): Promise<Execution[]> {
    const keys = ids.map((id) => executionKey(id.workspaceId, id.executionId));
    const items = keys.length === 0 ? [] : await this.#table.getAll<ExecutionItem>(keys);
    const nowMs = this.#clock.now();
    const found = new Map(
      items.filter((item) => !isExpired(item, nowMs)).map((item) => [item.executionId, executionOf(item)]),
    );
    return ids.flatMap(({ executionId }) => found.get(executionId) ?? []);
  }
}
