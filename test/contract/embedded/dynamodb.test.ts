import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DynamoDatabase, openDynamoDatabase } from '../../../local/embedded/dynamodb/database.ts';
import { serveDynamoDb } from '../../../local/embedded/dynamodb/server.ts';
import type { RunningServer } from '../../../local/embedded/loopback.ts';
import { createTables } from '../../../local/embedded/tables.ts';

const KEY = { accessKeyId: 'any', secretAccessKey: 'secret' };
const TableName = 'accounts';
const Other = 'extractions';

let database: DynamoDatabase;
let server: RunningServer;
let client: DynamoDBDocumentClient;
let pk = '';
let tests = 0;

beforeAll(async () => {
  database = await openDynamoDatabase();
  await createTables(database, {
    ACCOUNTS_TABLE: TableName,
    EXTRACTIONS_TABLE: Other,
    IDEMPOTENCY_TABLE: 'idempotency',
    LIMITS_TABLE: 'limits',
  });
  server = await serveDynamoDb(database, KEY);
  client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: server.url,
      region: 'ap-northeast-2',
      credentials: KEY,
      maxAttempts: 1,
    }),
  );
});

afterAll(async () => {
  client.destroy();
  await server.stop();
  await database.close();
});

beforeEach(() => {
  tests += 1;
  pk = `test-${tests}`;
});

const get = async (sk: string, table = TableName) =>
  (await client.send(new GetCommand({ TableName: table, Key: { pk, sk }, ConsistentRead: true }))).Item;
const put = (sk: string, attributes: object = {}) =>
  client.send(new PutCommand({ TableName, Item: { pk, sk, ...attributes } }));
const transact = (TransactItems: TransactWriteCommandInput['TransactItems'], ClientRequestToken?: string) =>
  client.send(new TransactWriteCommand({ TransactItems, ...(ClientRequestToken && { ClientRequestToken }) }));

const draw = (amount: number) => ({
  Update: {
    TableName,
    Key: { pk, sk: 'balance' },
    UpdateExpression: 'SET krw = krw - :amount',
    ConditionExpression: 'krw >= :amount',
    ExpressionAttributeValues: { ':amount': amount },
  },
});

describe('conditions', () => {
  it('puts an item only when it is not there', async () => {
    const once = new PutCommand({
      TableName,
      Item: { pk, sk: 'a', n: 1 },
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    await client.send(once);
    await expect(client.send(once)).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      Item: { pk: { S: pk }, sk: { S: 'a' }, n: { N: '1' } },
    });
  });

  it('updates and deletes only when the condition holds', async () => {
    await put('a', { version: 1 });
    const condition = (version: number) => ({
      TableName,
      Key: { pk, sk: 'a' },
      ConditionExpression: 'version = :v',
      ExpressionAttributeValues: { ':v': version },
    });
    await expect(client.send(new DeleteCommand(condition(2)))).rejects.toThrow('conditional request failed');
    await client.send(new DeleteCommand(condition(1)));
    expect(await get('a')).toBeUndefined();
  });

  it('loses no update when many arrive at once', async () => {
    const increment = () =>
      client.send(
        new UpdateCommand({
          TableName,
          Key: { pk, sk: 'counter' },
          UpdateExpression: 'ADD #n :one',
          ExpressionAttributeNames: { '#n': 'n' },
          ExpressionAttributeValues: { ':one': 1 },
        }),
      );
    await Promise.all(Array.from({ length: 100 }, increment));
    expect(await get('counter')).toMatchObject({ n: 100 });
  });
});

describe('transactions', () => {
  it('writes everything, across tables, or nothing', async () => {
    await put('balance', { krw: 1000 });
    await put('old');
    await transact([
      draw(200),
      { Put: { TableName: Other, Item: { pk, sk: 'extraction' } } },
      { Delete: { TableName, Key: { pk, sk: 'old' } } },
      { ConditionCheck: { TableName, Key: { pk, sk: 'none' }, ConditionExpression: 'attribute_not_exists(pk)' } },
    ]);
    expect(await get('balance')).toMatchObject({ krw: 800 });
    expect(await get('extraction', Other)).toBeDefined();
    expect(await get('old')).toBeUndefined();
    expect(await get('none')).toBeUndefined();

    await expect(
      transact([
        draw(200),
        { Put: { TableName: Other, Item: { pk, sk: 'second' } } },
        { ConditionCheck: { TableName, Key: { pk, sk: 'none' }, ConditionExpression: 'attribute_exists(pk)' } },
      ]),
    ).rejects.toMatchObject({ name: 'TransactionCanceledException' });
    expect(await get('balance')).toMatchObject({ krw: 800 });
    expect(await get('second', Other)).toBeUndefined();
  });

  it('says for every item why it was cancelled, with the item where that is asked for', async () => {
    await put('balance', { krw: 100 });
    const failing = { Update: { ...draw(200).Update, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const } };
    await expect(transact([{ Put: { TableName, Item: { pk, sk: 'entry' } } }, failing])).rejects.toMatchObject({
      message: expect.stringContaining('[None, ConditionalCheckFailed]'),
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'ConditionalCheckFailed', Item: { pk: { S: pk }, sk: { S: 'balance' }, krw: { N: '100' } } },
      ],
    });
  });

  it('reports a value of the wrong type as a ValidationError of its item', async () => {
    await put('balance', { krw: 'text' });
    const add = {
      Update: {
        TableName,
        Key: { pk, sk: 'balance' },
        UpdateExpression: 'SET krw = krw + :n',
        ExpressionAttributeValues: { ':n': 1 },
      },
    };
    await expect(transact([add])).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'ValidationError' }],
    });
  });

  it.each([
    [
      'the same item twice',
      () => [draw(1), { Delete: { TableName, Key: { pk, sk: 'balance' } } }],
      /multiple operations on one item/,
    ],
    [
      'more than 100 items',
      () => Array.from({ length: 101 }, (_, n) => ({ Put: { TableName, Item: { pk, sk: `${n}` } } })),
      /between 1 and 100/,
    ],
    ['no item', () => [], /between 1 and 100/],
    [
      'a broken expression',
      () => [{ Update: { TableName, Key: { pk, sk: 'a' }, UpdateExpression: 'SET' } }],
      /Invalid UpdateExpression/,
    ],
    ['two actions in one entry', () => [{ ...draw(1), Put: { TableName, Item: { pk, sk: 'a' } } }], /only contain one/],
  ])('refuses %s', async (_, items, message) => {
    await expect(transact(items())).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringMatching(message),
    });
    expect(await get('0')).toBeUndefined();
  });

  it('takes 100 items at once', async () => {
    await transact(Array.from({ length: 100 }, (_, n) => ({ Put: { TableName, Item: { pk, sk: `${n}` } } })));
    const { Count } = await client.send(
      new QueryCommand({ TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } }),
    );
    expect(Count).toBe(100);
  });

  it('refuses an unknown table as such', async () => {
    await expect(transact([{ Put: { TableName: 'nowhere', Item: { pk, sk: 'a' } } }])).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });

  it('runs a request token once, and refuses it for another request', async () => {
    await put('balance', { krw: 1000 });
    await transact([draw(200)], `token-${pk}`);
    await transact([draw(200)], `token-${pk}`);
    expect(await get('balance')).toMatchObject({ krw: 800 });
    await expect(transact([draw(300)], `token-${pk}`)).rejects.toMatchObject({
      name: 'IdempotentParameterMismatchException',
    });
  });

  it('forgets a request token with the sweep after ten minutes, and not before', async () => {
    await put('balance', { krw: 1000 });
    const minutes = (count: number) => Date.now() + count * 60_000;
    await transact([draw(200)], `token-${pk}`);
    await database.pruneTokens(minutes(9));
    await expect(transact([draw(300)], `token-${pk}`)).rejects.toMatchObject({
      name: 'IdempotentParameterMismatchException',
    });
    await database.pruneTokens(minutes(11));
    await transact([draw(300)], `token-${pk}`);
    expect(await get('balance')).toMatchObject({ krw: 500 });
  });

  it('leaves the token of a cancelled transaction free', async () => {
    await put('balance', { krw: 100 });
    await expect(transact([draw(200)], `token-${pk}`)).rejects.toThrow('cancelled');
    await put('balance', { krw: 300 });
    await transact([draw(200)], `token-${pk}`);
    expect(await get('balance')).toMatchObject({ krw: 100 });
  });

  it('gives 200 callers exactly what the balance holds', async () => {
    await put('balance', { krw: 100 * 200 });
    const call = (n: number) =>
      transact([
        draw(200),
        { Put: { TableName, Item: { pk, sk: `entry#${n}` }, ConditionExpression: 'attribute_not_exists(pk)' } },
      ]).then(
        () => 'paid',
        (error: { CancellationReasons?: { Code: string }[] }) => error.CancellationReasons?.[0]?.Code,
      );
    const outcomes = await Promise.all(Array.from({ length: 200 }, (_, n) => call(n)));
    const count = (outcome: string) => outcomes.filter((each) => each === outcome).length;
    expect({ paid: count('paid'), refused: count('ConditionalCheckFailed') }).toEqual({ paid: 100, refused: 100 });
    expect(await get('balance')).toMatchObject({ krw: 0 });
    const { Count } = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :entry)',
        ExpressionAttributeValues: { ':pk': pk, ':entry': 'entry#' },
        ConsistentRead: true,
      }),
    );
    expect(Count).toBe(100);
  });

  it('shows a reader both sides of a transfer or neither', async () => {
    await put('a', { n: 100 });
    await put('b', { n: 0 });
    const move = (from: string, to: string) =>
      transact(
        [from, to].map((sk, index) => ({
          Update: {
            TableName,
            Key: { pk, sk },
            UpdateExpression: 'SET n = n + :n',
            ExpressionAttributeValues: { ':n': index === 0 ? -1 : 1 },
          },
        })),
      );
    const sum = async () => {
      const { Responses = [] } = await client.send(
        new TransactGetCommand({ TransactItems: ['a', 'b'].map((sk) => ({ Get: { TableName, Key: { pk, sk } } })) }),
      );
      return Responses.reduce((total, { Item }) => total + Number(Item?.n), 0);
    };
    const sums = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? move('a', 'b').then(sum) : sum())),
    );
    expect(new Set(sums)).toEqual(new Set([100]));
  });

  it('can answer with a conflict, as a busy table on AWS does', async () => {
    await put('balance', { krw: 1000 });
    database.conflictNextTransactions(1);
    await expect(transact([draw(200)])).rejects.toMatchObject({
      CancellationReasons: [{ Code: 'TransactionConflict' }],
    });
    await transact([draw(200)]);
    expect(await get('balance')).toMatchObject({ krw: 800 });
  });
});

describe('queries', () => {
  it('pages through a sort key range, newest first, and only within its partition and table', async () => {
    const items = Array.from({ length: 25 }, (_, n) => ({ pk, sk: `e#${String(n).padStart(2, '0')}` }));
    await client.send(
      new BatchWriteCommand({ RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) } }),
    );
    await put('f#00');
    await client.send(new PutCommand({ TableName: Other, Item: { pk, sk: 'e#99' } }));
    await client.send(new PutCommand({ TableName, Item: { pk: `${pk}0`, sk: 'e#98' } }));
    const seen: string[] = [];
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const page = await client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :e)',
          ExpressionAttributeValues: { ':pk': pk, ':e': 'e#' },
          ScanIndexForward: false,
          Limit: 10,
          ...(ExclusiveStartKey && { ExclusiveStartKey }),
        }),
      );
      seen.push(...(page.Items ?? []).map(({ sk }) => String(sk)));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey !== undefined);
    expect(seen).toEqual(items.map(({ sk }) => sk).reverse());
  });

  it('refuses an item above 400 KB', async () => {
    await expect(put('big', { blob: 'x'.repeat(410 * 1024) })).rejects.toThrow('maximum allowed size');
  });
});
