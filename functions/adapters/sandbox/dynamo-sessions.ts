import { BatchGetCommand, type DynamoDBDocumentClient, paginateQuery, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Execution, ExecutionId } from '../../sandbox/domain/execution.ts';
import type { SessionId, Sessions } from '../../sandbox/domain/execution-ports.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { executionKey, sessionExecutionKey, sessionPartition } from '../dynamodb/keys.ts';
import { type ExecutionItem, executionOf, isExpired } from './execution-items.ts';

/** As many as one BatchGetItem takes; without programs and outputs they are far from what it may return. */
const KEYS_A_CALL = 100;

/** The pointers that DynamoExecutions stores beside the executions of sessions. */
export class DynamoSessions implements Sessions {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #clock: Clock;

  constructor(client: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#client = client;
    this.#table = table;
    this.#clock = clock;
  }

  async executions(session: SessionId, limit: number, before: string | null): Promise<Execution[]> {
    const { workspaceId, sessionId } = session;
    const found: Execution[] = [];
    let from = before === null ? undefined : sessionExecutionKey(workspaceId, sessionId, before);
    do {
      const { Items = [], LastEvaluatedKey } = await this.#client.send(
        new QueryCommand({
          ...this.#pointersOf(session),
          ScanIndexForward: false,
          Limit: Math.min(KEYS_A_CALL, limit - found.length),
          ...(from && { ExclusiveStartKey: from }),
        }),
      );
      found.push(...(await this.#existing(Items as ExecutionId[])));
      from = LastEvaluatedKey as typeof from;
      // A pointer may outlive its execution.
    } while (found.length < limit && from !== undefined);
    return found;
  }

  async *executionIds(session: SessionId): AsyncGenerator<ExecutionId> {
    for await (const { Items = [] } of paginateQuery({ client: this.#client }, this.#pointersOf(session)))
      for (const { workspaceId, executionId } of Items as ExecutionId[]) yield { workspaceId, executionId };
  }

  #pointersOf({ workspaceId, sessionId }: SessionId) {
    return {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :session',
      ExpressionAttributeValues: { ':session': sessionPartition(workspaceId, sessionId) },
      // Who has just got a result must find it here.
      ConsistentRead: true,
    };
  }

  /** In the order of the ids. */
  async #existing(ids: readonly ExecutionId[]): Promise<Execution[]> {
    const found = new Map<string, Execution>();
    let keys: Record<string, unknown>[] = ids.map((id) => executionKey(id.workspaceId, id.executionId));
    // DynamoDB names what it did not get to; each round gets some, or fails with an error of its own.
    while (keys.length > 0) {
      const { Responses, UnprocessedKeys } = await this.#client.send(
        new BatchGetCommand({ RequestItems: { [this.#table]: { Keys: keys, ConsistentRead: true } } }),
      );
      for (const item of (Responses?.[this.#table] ?? []) as ExecutionItem[])
        if (!isExpired(item, this.#clock.now())) found.set(item.executionId, executionOf(item));
      keys = UnprocessedKeys?.[this.#table]?.Keys ?? [];
    }
    return ids.flatMap(({ executionId }) => found.get(executionId) ?? []);
  }
}
