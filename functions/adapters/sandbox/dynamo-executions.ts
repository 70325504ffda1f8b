import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  paginateQuery,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { type Ending, EXECUTION_KEPT_SECONDS, type ExecutionId } from '../../sandbox/domain/execution.ts';
import type { Executions, FoundExecution, Lease, NewExecution } from '../../sandbox/domain/execution-ports.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import {
  ABSENT,
  epochSeconds,
  executionKey,
  OPEN_EXECUTIONS_PARTITION,
  openExecutionKey,
  sessionExecutionKey,
} from '../dynamodb/keys.ts';
import { type TransactItem, transact } from '../dynamodb/transactions.ts';
import type { ExecutionContents } from './execution-contents.ts';
import { type ExecutionItem, foundOf, isExecutionId, isExpired } from './execution-items.ts';

/** One that has not ended by then never will: its reconciler has been off for a day. */
const UNFINISHED_KEPT_SECONDS = 2 * EXECUTION_KEPT_SECONDS;

const NAMES = { '#status': 'status', '#owner': 'owner', '#output': 'output', '#program': 'program' } as const;
const STATES = { ':pending': 'pending', ':running': 'running' } as const;

type Change = Pick<UpdateCommandInput, 'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues'>;

/** Recorded executions in a table, an item each, and what is too large for it elsewhere. */
export class DynamoExecutions implements Executions {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #contents: ExecutionContents | null;
  readonly #clock: Clock;

  /** @param contents null for those who handle neither programs nor outputs. */
  constructor(client: DynamoDBDocumentClient, table: string, contents: ExecutionContents | null, clock: Clock) {
    this.#client = client;
    this.#table = table;
    this.#contents = contents;
    this.#clock = clock;
  }

  async create(created: NewExecution): Promise<void> {
    const { sessionId, startedAt, completedAt, exitCode, seconds, ...execution } = created.execution;
    const { workspaceId, executionId } = execution;
    const item: ExecutionItem = {
      ...execution,
      ...(sessionId !== null && { sessionId }),
      ...(startedAt !== null && { startedAt }),
      ...('program' in created
        ? { program: await this.#kept.keep(execution, 'program', created.program), queuedAtMs: created.queuedAtMs }
        : { owner: created.lease.owner, queuedAtMs: 0 }),
      leaseUntilMs: 'program' in created ? 0 : created.leaseUntilMs,
      requeues: 0,
      expiresAt: epochSeconds(Date.parse(execution.createdAt)) + UNFINISHED_KEPT_SECONDS,
    };
    const id = { workspaceId, executionId, expiresAt: item.expiresAt };
    const put = (Item: Record<string, unknown>): TransactItem => ({
      Put: { TableName: this.#table, Item, ConditionExpression: ABSENT },
    });
    const cancelled = await transact(this.#client, [
      ['execution', put({ ...executionKey(workspaceId, executionId), ...item })],
      ['open', put({ ...openExecutionKey(executionId), ...id })],
      ...(sessionId === null
        ? []
        : [['session', put({ ...sessionExecutionKey(workspaceId, sessionId, executionId), ...id })] as const]),
    ]);
    if (cancelled !== null) throw new Error(`Execution ${executionId} could not be stored.`);
  }

  async find(id: ExecutionId): Promise<FoundExecution | null> {
    const item = await this.#item(id);
    return item && foundOf(item);
  }

  async findWithProgram(id: ExecutionId) {
    const item = await this.#item(id);
    return item && { ...foundOf(item), program: await this.#kept.read(id, 'program', item.program) };
  }

  async findWithOutput(id: ExecutionId) {
    const item = await this.#item(id);
    return item && { ...foundOf(item), output: await this.#kept.read(id, 'output', item.output) };
  }

  start(lease: Lease, nowMs: number, leaseUntilMs: number): Promise<boolean> {
    return this.#change(lease, {
      UpdateExpression: 'SET #status = :running, #owner = :owner, leaseUntilMs = :leaseUntilMs, startedAt = :now',
      // `#owner = :owner`: the SDK repeats an update whose answer was lost, and must not find itself in the way.
      ConditionExpression:
        '(#status = :pending AND attribute_not_exists(isCancelled)) OR (#status = :running AND #owner = :owner)',
      ExpressionAttributeValues: {
        ...STATES,
        ':owner': lease.owner,
        ':leaseUntilMs': leaseUntilMs,
        ':now': isoTime(nowMs),
      },
    });
  }

  async putBack(lease: Lease): Promise<void> {
    await this.#change(lease, {
      UpdateExpression: 'SET #status = :pending, leaseUntilMs = :zero REMOVE #owner, startedAt',
      ConditionExpression: '#status = :running AND #owner = :owner',
      ExpressionAttributeValues: { ...STATES, ':owner': lease.owner, ':zero': 0 },
    });
  }

  async isWanted({ owner, ...id }: Lease): Promise<boolean> {
    const { Item } = await this.#client.send(
      new GetCommand({
        ...this.#key(id),
        ProjectionExpression: '#status, #owner, isCancelled',
        ExpressionAttributeNames: { '#status': 'status', '#owner': 'owner' },
      }),
    );
    const item = Item as Partial<ExecutionItem> | undefined;
    return item?.status === 'running' && item.owner === owner && item.isCancelled !== true;
  }

  async end(lease: Lease, ending: Ending, nowMs: number): Promise<boolean> {
    const { stdout, stderr } = ending;
    const output = await this.#kept.keep(lease, 'output', { stdout, stderr });
    // The owner stays, so that a repeated update finds its own work.
    const isEnded = await this.#end(lease, ending, output, nowMs, {
      UpdateExpression: '',
      ConditionExpression: '#owner = :owner',
      ExpressionAttributeValues: { ':owner': lease.owner },
    });
    // It may have been removed meanwhile, and with it what it had in the bucket then.
    if (!isEnded && typeof output !== 'string') await this.#kept.remove(lease);
    return isEnded;
  }

  abandon({ execution, leaseUntilMs }: FoundExecution, ending: Ending, nowMs: number): Promise<boolean> {
    const { stdout, stderr } = ending;
    return this.#end(execution, ending, JSON.stringify({ stdout, stderr }), nowMs, {
      UpdateExpression: ', #owner',
      ConditionExpression: '#status = :seen AND leaseUntilMs = :seenLease',
      ExpressionAttributeValues: { ':seen': execution.status, ':seenLease': leaseUntilMs },
    });
  }

  cancel(id: ExecutionId): Promise<boolean> {
    return this.#change(id, {
      UpdateExpression: 'SET isCancelled = :true',
      ConditionExpression: '#status = :running',
      ExpressionAttributeValues: { ':running': 'running', ':true': true },
    });
  }

  requeue({ execution, requeues }: FoundExecution, nowMs: number): Promise<boolean> {
    return this.#change(execution, {
      UpdateExpression: 'SET queuedAtMs = :nowMs, requeues = :after',
      ConditionExpression: '#status = :pending AND requeues = :before',
      ExpressionAttributeValues: {
        ':pending': 'pending',
        ':nowMs': nowMs,
        ':before': requeues,
        ':after': requeues + 1,
      },
    });
  }

  async remove({ workspaceId, executionId, sessionId }: Parameters<Executions['remove']>[0]): Promise<void> {
    const id = { workspaceId, executionId };
    // First: from now on nobody starts it, and who runs it hears that it is not wanted.
    await this.#client.send(new DeleteCommand(this.#key(id)));
    await this.#kept.remove(id);
    await this.close(id);
    // Last: as long as it is there, another removal of the session gets here again.
    if (sessionId !== null) {
      const Key = sessionExecutionKey(workspaceId, sessionId, executionId);
      await this.#client.send(new DeleteCommand({ TableName: this.#table, Key }));
    }
  }

  async *open(): AsyncGenerator<ExecutionId> {
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        KeyConditionExpression: 'pk = :open',
        ExpressionAttributeValues: { ':open': OPEN_EXECUTIONS_PARTITION },
        ConsistentRead: true,
      },
    );
    for await (const { Items = [] } of pages)
      for (const { workspaceId, executionId } of Items as ExecutionItem[]) yield { workspaceId, executionId };
  }

  async close({ executionId }: Pick<ExecutionId, 'executionId'>): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: openExecutionKey(executionId) }));
  }

  async #end(
    { workspaceId, executionId }: ExecutionId,
    { status, exitCode, seconds }: Ending,
    output: ExecutionItem['output'],
    nowMs: number,
    { UpdateExpression, ConditionExpression, ExpressionAttributeValues }: Change,
  ): Promise<boolean> {
    const id = { workspaceId, executionId };
    const isEnded = await this.#change(id, {
      UpdateExpression:
        'SET #status = :status, completedAt = :now, exitCode = :exitCode, seconds = :seconds, #output = :output, ' +
        `leaseUntilMs = :zero, expiresAt = :expiresAt REMOVE #program, isCancelled${UpdateExpression}`,
      ConditionExpression,
      ExpressionAttributeValues: {
        ...ExpressionAttributeValues,
        ':status': status,
        ':now': isoTime(nowMs),
        ':exitCode': exitCode,
        ':seconds': seconds,
        ':output': output,
        ':zero': 0,
        ':expiresAt': epochSeconds(nowMs) + EXECUTION_KEPT_SECONDS,
      },
    });
    // What stays on the list is taken off it by the reconciler.
    if (isEnded) await this.close(id).catch(() => undefined);
    return isEnded;
  }

  async #item(id: ExecutionId): Promise<ExecutionItem | null> {
    if (!isExecutionId(id)) return null;
    const { Item } = await this.#client.send(new GetCommand({ ...this.#key(id), ConsistentRead: true }));
    const item = Item as ExecutionItem | undefined;
    return item === undefined || isExpired(item, this.#clock.now()) ? null : item;
  }

  /** @returns false when the condition does not hold. */
  async #change({ workspaceId, executionId }: ExecutionId, change: Change): Promise<boolean> {
    try {
      const ExpressionAttributeNames = namesIn(change);
      await this.#client.send(
        new UpdateCommand({ ...this.#key({ workspaceId, executionId }), ...change, ExpressionAttributeNames }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  #key({ workspaceId, executionId }: ExecutionId) {
    return { TableName: this.#table, Key: executionKey(workspaceId, executionId) };
  }

  get #kept(): ExecutionContents {
    if (this.#contents === null) throw new Error('Programs and outputs need their bucket.');
    return this.#contents;
  }
}

const isoTime = (ms: number) => new Date(ms).toISOString();

/** DynamoDB refuses names that no expression uses. */
function namesIn({ UpdateExpression = '', ConditionExpression = '' }: Change) {
  const used = new Set(`${UpdateExpression} ${ConditionExpression}`.match(/#\w+/g));
  return Object.fromEntries(Object.entries(NAMES).filter(([name]) => used.has(name)));
}
