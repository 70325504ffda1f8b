import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  QueryCommand,
  type QueryCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { chunks } from '../../shared/chunks.ts';
import type { Backoff } from '../../shared/ports/backoff.ts';
import {
  ABSENT,
  and,
  Bindings,
  beginsWith,
  between,
  type Change,
  type Condition,
  conditionInput,
  equal,
  updateInput,
} from './expressions.ts';
import type { TransactItem } from './transactions.ts';

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

export type Item = Record<string, unknown>;

/** Outcome of a conditional write. */
export type WriteOutcome =
  | { readonly written: true; readonly item: Item }
  /** The condition did not hold for this item; null where there is none. */
  | { readonly written: false; readonly item: Item | null };

export interface Query {
  readonly partition: string;
  /** Only items whose sort key starts with this. */
  readonly prefix?: string;
  /** Only items whose sort key is one of these two or between them. */
  readonly between?: readonly [string, string];
  /** Newest first. */
  readonly descending?: boolean;
  readonly limit?: number;
  /** Key of the item to start after. */
  readonly after?: Key;
  readonly filter?: Condition;
  /** By default all of them. */
  readonly attributes?: readonly string[];
}

/** UTF-8 bytes of a partition key and of a sort key. */
const MAX_KEY_BYTES = { pk: 2048, sk: 1024 } as const;

/** False for a key that no item can have. DynamoDB refuses to look for it, though ids of clients may be of any length. */
function canExist({ pk, sk }: Key): boolean {
  return Buffer.byteLength(pk) <= MAX_KEY_BYTES.pk && Buffer.byteLength(sk) <= MAX_KEY_BYTES.sk;
}

/** Limit of BatchWriteItem. */
const MAX_WRITES_PER_CALL = 25;

type BatchWrite =
  | { readonly PutRequest: { readonly Item: Item } }
  | { readonly DeleteRequest: { readonly Key: Record<string, unknown> } };

/** A table of items under `pk` and `sk`. Reads are strongly consistent unless they say otherwise. */
export class DynamoTable {
  readonly #client: DynamoDBDocumentClient;
  readonly #name: string;

  constructor(client: DynamoDBDocumentClient, name: string) {
    this.#client = client;
    this.#name = name;
  }

  async get<T extends object = Item>(
    key: Key,
    { consistent = true, attributes }: { readonly consistent?: boolean; readonly attributes?: readonly string[] } = {},
  ): Promise<T | null> {
    if (!canExist(key)) return null;
    const bindings = new Bindings();
    const names = attributes?.map((attribute) => bindings.name(attribute));
    const { Item } = await this.#client.send(
      new GetCommand({
        ...this.#at(key),
        ConsistentRead: consistent,
        ...(names && { ProjectionExpression: names.join(', '), ...bindings.toInput() }),
      }),
    );
    return (Item as T | undefined) ?? null;
  }

  /** Items in no order; missing keys are left out. One call for at most 100 keys. */
  async getAll<T extends object = Item>(keys: readonly Key[]): Promise<T[]> {
    const items: T[] = [];
    let left: Item[] = keys.filter(canExist).map((key) => ({ ...key }));
    // DynamoDB stops at 16 MB and lists the rest; each round returns some, or fails with an error.
    while (left.length > 0) {
      const { Responses, UnprocessedKeys } = await this.#client.send(
        new BatchGetCommand({ RequestItems: { [this.#name]: { Keys: left, ConsistentRead: true } } }),
      );
      items.push(...((Responses?.[this.#name] ?? []) as T[]));
      left = UnprocessedKeys?.[this.#name]?.Keys ?? [];
    }
    return items;
  }

  /** All items of a query, page by page. */
  async *query<T extends object = Item>(query: Query): AsyncGenerator<T> {
    for await (const { Items = [] } of paginateQuery({ client: this.#client }, this.#query(query))) yield* Items as T[];
  }

  /** One page of a query. */
  async page<T extends object = Item>(query: Query): Promise<{ readonly items: T[]; readonly last: Key | undefined }> {
    const { Items = [], LastEvaluatedKey } = await this.#client.send(new QueryCommand(this.#query(query)));
    return { items: Items as T[], last: LastEvaluatedKey as Key | undefined };
  }

  async put(item: Item & Key, condition?: Condition): Promise<WriteOutcome> {
    return this.#conditional(async () => {
      await this.#client.send(
        new PutCommand({ TableName: this.#name, Item: item, ...conditionInput(condition), ...RETURN_OLD }),
      );
      return item;
    });
  }

  /** Puts items without a condition, several per call. */
  async putAll(items: readonly (Item & Key)[], backoff: Backoff): Promise<void> {
    await this.#writeAll(
      items.map((Item) => ({ PutRequest: { Item } })),
      backoff,
    );
  }

  /** Deletes items without a condition, several per call. */
  async deleteAll(keys: readonly Key[], backoff: Backoff): Promise<void> {
    await this.#writeAll(
      keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
      backoff,
    );
  }

  /** @returns false when there is no item that it may change, or the condition does not hold. */
  async update(key: Key, change: Change): Promise<boolean> {
    return (await this.#conditional(() => this.#update(key, change, {}))).written;
  }

  /** As `update`, with the item after it, or the one for which the condition does not hold. */
  async updateItem(key: Key, change: Change): Promise<WriteOutcome> {
    return this.#conditional(() => this.#update(key, change, { ReturnValues: 'ALL_NEW', ...RETURN_OLD }));
  }

  /** @returns false when the condition does not hold. */
  async delete(key: Key, condition?: Condition): Promise<boolean> {
    if (!canExist(key)) return false;
    const { written } = await this.#conditional(async () => {
      await this.#client.send(new DeleteCommand({ ...this.#at(key), ...conditionInput(condition) }));
      return {};
    });
    return written;
  }

  /** The part of a transaction that stores a new item. @param condition by default that there is none yet. */
  putPart(item: Item & Key, condition = ABSENT): TransactItem {
    return { Put: { TableName: this.#name, Item: item, ...conditionInput(condition), ...RETURN_OLD } };
  }

  updatePart(key: Key, change: Change): TransactItem {
    return { Update: { ...this.#at(key), ...updateInput(change) } };
  }

  deletePart(key: Key, condition?: Condition): TransactItem {
    return { Delete: { ...this.#at(key), ...conditionInput(condition) } };
  }

  /** The part of a transaction that writes nothing, and fails where the condition does not hold. */
  checkPart(key: Key, condition: Condition): TransactItem {
    const { ConditionExpression = '', ...bindings } = conditionInput(condition);
    return { ConditionCheck: { ...this.#at(key), ConditionExpression, ...bindings, ...RETURN_OLD } };
  }

  async #update(key: Key, change: Change, returns: object): Promise<Item> {
    const { Attributes = {} } = await this.#client.send(
      new UpdateCommand({ ...this.#at(key), ...updateInput(change), ...returns }),
    );
    return Attributes;
  }

  async #conditional(write: () => Promise<Item>): Promise<WriteOutcome> {
    try {
      return { written: true, item: await write() };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { written: false, item: error.Item === undefined ? null : unmarshall(error.Item) };
    }
  }

  async #writeAll(writes: readonly BatchWrite[], backoff: Backoff): Promise<void> {
    await Promise.all(chunks(writes, MAX_WRITES_PER_CALL).map((some) => this.#writeSome(some, backoff)));
  }

  async #writeSome(writes: readonly BatchWrite[], backoff: Backoff): Promise<void> {
    let left = writes;
    for (let attempt = 1; left.length > 0; attempt++) {
      const { UnprocessedItems } = await this.#client.send(
        new BatchWriteCommand({ RequestItems: { [this.#name]: [...left] } }),
      );
      left = (UnprocessedItems?.[this.#name] ?? []) as BatchWrite[];
      if (left.length > 0) await backoff.wait(attempt);
    }
  }

  #query(query: Query): QueryCommandInput {
    const { partition, prefix, between: range, descending = false, limit, after, filter, attributes } = query;
    const bindings = new Bindings();
    const inPartition = equal('pk', partition);
    const sortKeys = [
      ...(prefix === undefined ? [] : [beginsWith('sk', prefix)]),
      ...(range === undefined ? [] : [between('sk', ...range)]),
    ];
    const keys = sortKeys.length === 0 ? inPartition : and(inPartition, ...sortKeys);
    return {
      TableName: this.#name,
      KeyConditionExpression: keys(bindings),
      ...(filter && { FilterExpression: filter(bindings) }),
      ...(attributes && { ProjectionExpression: attributes.map((name) => bindings.name(name)).join(', ') }),
      ...bindings.toInput(),
      ConsistentRead: true,
      ScanIndexForward: !descending,
      ...(limit !== undefined && { Limit: limit }),
      ...(after && { ExclusiveStartKey: { ...after } }),
    };
  }

  #at(key: Key) {
    return { TableName: this.#name, Key: { ...key } };
  }
}

const RETURN_OLD = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
