import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ExecutionId } from '../../sandbox/domain/execution.ts';
import type { OpenExecutions } from '../../sandbox/domain/execution-ports.ts';
import { OPEN_EXECUTIONS_PARTITION, openExecutionKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';

/** The pointers that DynamoExecutions stores for executions until they have ended. */
export class DynamoOpenExecutions implements OpenExecutions {
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#table = new DynamoTable(client, table);
  }

  async *list(): AsyncGenerator<ExecutionId> {
    const pointers = this.#table.query<ExecutionId>({ partition: OPEN_EXECUTIONS_PARTITION });
    for await (const { workspaceId, executionId } of pointers) yield { workspaceId, executionId };
  }

  async close({ executionId }: Pick<ExecutionId, 'executionId'>): Promise<void> {
    await this.#table.delete(openExecutionKey(executionId));
  }
}
