import { createHash } from 'node:crypto';
import {
  createKey,
  type Item,
  itemSize,
  type LevelWrite,
  type Store,
  type Table,
  validateItem,
  validateKey,
} from 'dynalite/db/index.js';
import { bufferedStore } from './buffered-store.ts';
import { DynamoDbError, errorName, isServiceError, validationException } from './errors.ts';
import { type Input, type OperationName, type Output, operations } from './operations.ts';

const MAX_TRANSACTION_ITEMS = 100;
const MAX_TRANSACTION_BYTES = 4 * 1024 * 1024;
/** DynamoDB remembers a request token for ten minutes. */
const TOKEN_LIFE_MS = 10 * 60_000;
const TOKEN_PREFIX = 'transaction-token~';

const EXCEPTION = 'com.amazonaws.dynamodb.v20120810#';

/** A condition check is a deletion whose writes are thrown away: the same key, the same condition, nothing changed. */
const writeOperations = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'DeleteItem',
} as const satisfies Record<string, OperationName>;

type Member = keyof typeof writeOperations;

interface CancellationReason {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: Item;
}

const NO_REASON: CancellationReason = { Code: 'None' };

interface PlannedAction {
  readonly member: Member;
  readonly parsed: Record<string, unknown>;
  readonly table: Table;
  /** The item's place in the store; absent when the key does not fit the table, which the action itself reports. */
  readonly storeKey: string | undefined;
  readonly returnOldItem: boolean;
}

/** Runs a TransactWriteItems. The caller holds the write lock from before the call until after it. */
export async function transactWriteItems(store: Store, input: Input, nowMs: number): Promise<Output> {
  const fingerprint = createHash('sha256').update(JSON.stringify(input.TransactItems)).digest('hex');
  const token = typeof input.ClientRequestToken === 'string' ? input.ClientRequestToken : undefined;
  if (token !== undefined && (await isReplay(store, token, fingerprint, nowMs))) return {};

  const actions = await plan(store, transactItems(input));
  const outcomes: Outcome[] = [];
  for (const action of actions) outcomes.push(await attempt(store, action));

  const reasons = outcomes.map((outcome) => outcome.reason);
  if (reasons.some((reason) => reason !== NO_REASON)) throw transactionCanceled(reasons);

  const writes = outcomes.flatMap((outcome) => outcome.writes);
  if (token !== undefined) {
    writes.push({ type: 'put', key: TOKEN_PREFIX + token, value: { fingerprint, at: nowMs } });
  }
  await store.db.batch(writes);
  return {};
}

/** Runs a TransactGetItems; isolated from writers because the caller holds the write lock. */
export async function transactGetItems(store: Store, input: Input): Promise<Output> {
  const { GetItem } = operations;
  const gets = transactItems(input).map((entry) => {
    if (!isRecord(entry.Get)) throw validationException('TransactItems of TransactGetItems can only contain Get');
    return GetItem.parse(entry.Get, store);
  });
  const responses: Output[] = [];
  for (const get of gets) {
    const { Item } = await GetItem.run(store, get);
    responses.push(Item === undefined ? {} : { Item });
  }
  return { Responses: responses };
}

/** The answer when another transaction holds an item; this emulator serialises them, so only tests ask for it. */
export function transactionConflict(input: Input): DynamoDbError {
  return transactionCanceled(
    transactItems(input).map((_, index) =>
      index === 0 ? { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' } : NO_REASON,
    ),
  );
}

/** Forgets request tokens that DynamoDB would have forgotten too. */
export async function pruneTokens(store: Store, nowMs: number): Promise<void> {
  const writes: LevelWrite[] = [];
  for await (const [key, value] of store.db.iterator({ gte: TOKEN_PREFIX, lt: `${TOKEN_PREFIX}\uffff` })) {
    if (!isLive(value, nowMs)) writes.push({ type: 'del', key });
  }
  if (writes.length > 0) await store.db.batch(writes);
}

function transactItems(input: Input): Record<string, unknown>[] {
  const items = input.TransactItems;
  if (!Array.isArray(items) || items.length < 1 || items.length > MAX_TRANSACTION_ITEMS || !items.every(isRecord)) {
    throw validationException(
      `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: ` +
        `Member must have length between 1 and ${MAX_TRANSACTION_ITEMS}`,
    );
  }
  return items;
}

async function plan(store: Store, entries: Record<string, unknown>[]): Promise<PlannedAction[]> {
  const actions: PlannedAction[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  for (const entry of entries) {
    const action = await planOne(store, entry);
    bytes += itemSize((action.parsed.Item ?? action.parsed.Key) as Item);
    if (action.storeKey !== undefined) {
      const place = `${action.table.TableName}~${action.storeKey}`;
      if (seen.has(place)) {
        throw validationException('Transaction request cannot include multiple operations on one item');
      }
      seen.add(place);
    }
    actions.push(action);
  }
  if (bytes > MAX_TRANSACTION_BYTES) throw validationException('Transaction request exceeds the size limit of 4 MB');
  return actions;
}

async function planOne(store: Store, entry: Record<string, unknown>): Promise<PlannedAction> {
  const members = Object.keys(entry);
  const member = members[0];
  if (members.length !== 1 || member === undefined || !isMember(member) || !isRecord(entry[member])) {
    throw validationException('TransactItems can only contain one of ConditionCheck, Put, Update or Delete');
  }
  const input = entry[member];
  if (member === 'ConditionCheck' && typeof input.ConditionExpression !== 'string') {
    throw validationException('The ConditionExpression of a ConditionCheck must not be null');
  }
  if (member === 'Update' && typeof input.UpdateExpression !== 'string') {
    throw validationException('The UpdateExpression of an Update must not be null');
  }
  const parsed = operations[writeOperations[member]].parse(input, store);
  const table = await tableOf(store, String(parsed.TableName));
  return {
    member,
    parsed,
    table,
    storeKey: storeKeyOf(parsed, table),
    returnOldItem: input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
  };
}

interface Outcome {
  readonly reason: CancellationReason;
  readonly writes: LevelWrite[];
}

async function attempt(store: Store, action: PlannedAction): Promise<Outcome> {
  const view = bufferedStore(store);
  try {
    await operations[writeOperations[action.member]].run(view, action.parsed);
    return { reason: NO_REASON, writes: action.member === 'ConditionCheck' ? [] : [...view.writes] };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    switch (errorName(error)) {
      case 'ConditionalCheckFailedException': {
        const item = action.returnOldItem
          ? await storedItem(store, action.table.TableName, action.storeKey)
          : undefined;
        const reason = { Code: 'ConditionalCheckFailed', Message: error.message, ...(item && { Item: item }) };
        return { reason, writes: [] };
      }
      case 'ValidationException':
        return { reason: { Code: 'ValidationError', Message: error.message }, writes: [] };
      default:
        throw error;
    }
  }
}

function transactionCanceled(reasons: CancellationReason[]): DynamoDbError {
  const codes = reasons.map((reason) => reason.Code).join(', ');
  return new DynamoDbError(
    `${EXCEPTION}TransactionCanceledException`,
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  );
}

async function isReplay(store: Store, token: string, fingerprint: string, nowMs: number): Promise<boolean> {
  const remembered = await store.db.get(TOKEN_PREFIX + token);
  if (!isLive(remembered, nowMs)) return false;
  if (isRecord(remembered) && remembered.fingerprint === fingerprint) return true;
  throw new DynamoDbError(
    `${EXCEPTION}IdempotentParameterMismatchException`,
    'The request was rejected because it is not the request that this ClientRequestToken was first used with',
  );
}

function isLive(remembered: unknown, nowMs: number): boolean {
  return isRecord(remembered) && typeof remembered.at === 'number' && nowMs - remembered.at < TOKEN_LIFE_MS;
}

function tableOf(store: Store, name: string): Promise<Table> {
  return new Promise((resolve, reject) => {
    store.getTable(name, (error, table) => (error || table === undefined ? reject(error) : resolve(table)));
  });
}

/** Where an item of a parsed input (`Item` or `Key`) is in its table. */
export function storeKeyOf(parsed: Record<string, unknown>, table: Table): string | undefined {
  const isPut = parsed.Item !== undefined;
  const item = (isPut ? parsed.Item : parsed.Key) as Item;
  const invalid = isPut ? validateItem(item, table) : validateKey(item, table);
  return invalid == null ? createKey(item, table) : undefined;
}

async function storedItem(store: Store, table: string, storeKey: string | undefined): Promise<Item | undefined> {
  if (storeKey === undefined) return undefined;
  return new Promise((resolve, reject) => {
    store.getItemDb(table).get(storeKey, (error, item) => (error ? reject(error) : resolve(item)));
  });
}

function isMember(name: string): name is Member {
  return Object.hasOwn(writeOperations, name);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
