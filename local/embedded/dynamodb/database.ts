import { Readable } from 'node:stream';
import { type Callback, create, type Store } from 'dynalite/db/index.js';
import { bufferedStore } from './buffered-store.ts';
import { compaction } from './compaction.ts';
import { DynamoDbError, errorName, isServiceError } from './errors.ts';
import { type Input, isOperationName, type OperationName, type Output, operations } from './operations.ts';
import { settleTables, untilActive } from './settle-tables.ts';
import { expiredItems } from './time-to-live.ts';
import { pruneTokens, transactGetItems, transactionConflict, transactWriteItems } from './transactions.ts';
import { writeLock } from './write-lock.ts';

/** DynamoDB on disk, in this process, with transactions. One directory, one process: a second opener is refused. */
export interface DynamoDatabase {
  /** One API operation by its name: `execute('PutItem', {...})`. Throws `DynamoDbError`-shaped errors. */
  execute(operation: string, input: Input): Promise<Output>;
  /** Deletes the items whose time of expiry, in epoch seconds in `attribute`, is over, as DynamoDB does in its own time. */
  removeExpired(tableName: string, attribute: string, nowMs: number): Promise<void>;
  /** Deletes the tokens of transactions that are no longer remembered. */
  pruneTokens(nowMs: number): Promise<void>;
  /** Makes the next `count` TransactWriteItems answer TransactionConflict, as a busy table on AWS does. For tests. */
  conflictNextTransactions(count: number): void;
  /** Rewrites the files if items were removed since it last did, about once an hour: no file has their values then. */
  compact(nowMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens, or makes, the database in `directory`; without one it lives in memory. Throws LEVEL_LOCKED when in use. */
export async function openDynamoDatabase(directory?: string): Promise<DynamoDatabase> {
  const store = create({
    ...(directory !== undefined && { path: directory }),
    createTableMs: 0,
    deleteTableMs: 0,
    updateTableMs: 0,
  });
  await store.db.open();
  closeIteratorsAtTheirEnd(store);
  readAtOnce(store);
  const compact = compaction(store.db);
  await settleTables(store);

  const exclusively = writeLock();
  let conflictsToInject = 0;

  async function transactWrite(input: Input): Promise<Output> {
    if (conflictsToInject > 0) {
      conflictsToInject -= 1;
      throw transactionConflict(input);
    }
    return transactWriteItems(store, input, Date.now());
  }

  async function execute(operation: string, input: Input): Promise<Output> {
    if (operation === 'TransactWriteItems') return exclusively(() => transactWrite(input));
    if (operation === 'TransactGetItems') return exclusively(() => transactGetItems(store, input));
    // `removeExpired` deletes them, by the attribute that it is given.
    if (operation === 'UpdateTimeToLive') return { TimeToLiveSpecification: input.TimeToLiveSpecification };
    if (!isOperationName(operation)) {
      throw new DynamoDbError('com.amazon.coral.service#UnknownOperationException', `Unknown operation: ${operation}`);
    }
    const { kind, parse, run } = operations[operation];
    const parsed = parse(input, store);
    if (kind === 'read') return run(store, parsed);
    if (kind === 'table') {
      return exclusively(async () => {
        const output = await run(store, parsed);
        if (operation === 'CreateTable') await untilActive(store, input.TableName);
        return output;
      });
    }
    return exclusively(() => writeAtOnce(store, operation, parsed, input));
  }

  async function removeExpired(tableName: string, attribute: string, nowMs: number): Promise<void> {
    const { Table } = await execute('DescribeTable', { TableName: tableName });
    const { KeySchema } = Table as { KeySchema: { AttributeName: string }[] };
    for (const item of await expiredItems(store, { tableName, attribute, nowMs })) {
      const Key = Object.fromEntries(KeySchema.map(({ AttributeName }) => [AttributeName, item[AttributeName]]));
      const deletion = {
        TableName: tableName,
        Key,
        // Its time may have been put off meanwhile.
        ConditionExpression: '#expiry = :seen',
        ExpressionAttributeNames: { '#expiry': attribute },
        ExpressionAttributeValues: { ':seen': item[attribute] },
      };
      await execute('DeleteItem', deletion).catch((error: unknown) => {
        if (!isServiceError(error) || errorName(error) !== 'ConditionalCheckFailedException') throw error;
      });
    }
  }

  return {
    execute,
    removeExpired,
    pruneTokens: (nowMs) => exclusively(() => pruneTokens(store, nowMs)),
    compact,
    conflictNextTransactions(count) {
      conflictsToInject = count;
    },
    async close() {
      await exclusively(() => store.lifecycleManager.gracefulClose());
    },
  };
}

/** An item and its index entries in one batch; the condition is judged under the write lock. */
async function writeAtOnce(store: Store, operation: OperationName, parsed: object, input: Input): Promise<Output> {
  const view = bufferedStore(store);
  try {
    const output = await operations[operation].run(view, parsed);
    await store.db.batch([...view.writes]);
    return output;
  } catch (error) {
    const wantsItem = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
    if (!wantsItem || !isServiceError(error) || errorName(error) !== 'ConditionalCheckFailedException') throw error;
    throw new DynamoDbError(String(error.body.__type), error.message, await oldItem(store, input));
  }
}

async function oldItem(store: Store, input: Input): Promise<Output> {
  const table = await operations.DescribeTable.run(store, { TableName: input.TableName });
  const { KeySchema } = table.Table as { KeySchema: { AttributeName: string }[] };
  const source = (input.Key ?? input.Item) as Record<string, unknown>;
  const Key = Object.fromEntries(KeySchema.map(({ AttributeName }) => [AttributeName, source[AttributeName]]));
  return operations.GetItem.run(store, { TableName: input.TableName, Key });
}

/**
 * dynalite's streams never close their LevelDB iterator, and an open iterator pins a snapshot: every Query would leak
 * one. Node's own adapter closes it at the end and when the reader stops early.
 */
function closeIteratorsAtTheirEnd({ db }: Store): void {
  db.createKeyStream = (range = {}) => Readable.from(db.keys(range));
  db.createValueStream = (range = {}) => Readable.from(db.values(range));
}

/**
 * LevelDB finds an item in microseconds, most of them in its cache: less than the way to another thread and back takes, which
 * dynalite goes two or three times an operation, writes under the lock of all writers.
 */
function readAtOnce({ db }: Store): void {
  db.get = ((key: string, callback?: Callback<unknown>) => {
    const reading = new Promise((resolve) => resolve(db.getSync(key)));
    if (callback === undefined) return reading;
    reading.then((value) => callback(null, value), callback);
  }) as typeof db.get;
}
