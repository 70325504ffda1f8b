import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDynamoDatabase } from '../../../local/embedded/dynamodb/database.ts';
import { createTables } from '../../../local/embedded/tables.ts';

const KILLS = 5;
const tableNames = {
  ACCOUNTS_TABLE: 'accounts',
  EXTRACTIONS_TABLE: 'extractions',
  IDEMPOTENCY_TABLE: 'idempotency',
  LIMITS_TABLE: 'limits',
};

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tripod-crash-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

it('keeps every acknowledged transaction whole through kill -9', async () => {
  const database = await openDynamoDatabase(directory);
  await createTables(database, tableNames);
  await database.close();

  let last = -1;
  for (let kill = 0; kill < KILLS; kill += 1) {
    last = await writeUntilKilled(last + 1, 20 + kill * 17);
    const { balance, entries } = await readBack();
    // The one transaction that was under way may have been committed without being acknowledged.
    expect([last + 1, last + 2]).toContain(entries);
    expect(balance).toBe(-entries);
    last = entries - 1;
  }
});

/** @returns the number of the last acknowledged transaction. */
async function writeUntilKilled(first: number, acknowledgements: number): Promise<number> {
  const script = new URL('./crash-writer.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, directory, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  let last = first - 1;
  for await (const line of createInterface(child.stdout)) {
    last = Number(line);
    if (last === first + acknowledgements) child.kill('SIGKILL');
  }
  await gone;
  return last;
}

async function readBack(): Promise<{ balance: number; entries: number }> {
  const database = await openDynamoDatabase(directory);
  const { Item } = await database.execute('GetItem', {
    TableName: 'accounts',
    Key: { pk: { S: 'w' }, sk: { S: 'balance' } },
  });
  let entries = 0;
  let page: Record<string, unknown> = {};
  do {
    page = await database.execute('Query', {
      TableName: 'extractions',
      KeyConditionExpression: 'pk = :w',
      ExpressionAttributeValues: { ':w': { S: 'w' } },
      Select: 'COUNT',
      ...(page.LastEvaluatedKey !== undefined && { ExclusiveStartKey: page.LastEvaluatedKey }),
    });
    entries += Number(page.Count);
  } while (page.LastEvaluatedKey !== undefined);
  await database.close();
  return { balance: Number((Item as { krw: { N: string } }).krw.N), entries };
}

it('opens a database whose process died while its tables were being created', async () => {
  const path = join(directory, 'half-made');
  const script = `
    const { openDynamoDatabase } = await import(${JSON.stringify(new URL('../../../local/embedded/dynamodb/database.ts', import.meta.url).href)});
    const database = await openDynamoDatabase(process.argv[1]);
    database.execute('CreateTable', {
      TableName: 'accounts',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }, { AttributeName: 'sk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }],
    });
    for (;;) {
      const { TableNames } = await database.execute('ListTables', {});
      if (TableNames.length > 0) process.kill(process.pid, 'SIGKILL');
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path], { stdio: 'inherit' });
  await once(child, 'exit');

  const database = await openDynamoDatabase(path);
  await createTables(database, tableNames);
  await database.execute('PutItem', { TableName: 'accounts', Item: { pk: { S: 'a' }, sk: { S: 'b' } } });
  await database.close();
});

it('remembers request tokens over a restart', async () => {
  const request = {
    ClientRequestToken: 'once-and-for-all',
    TransactItems: [
      {
        Update: {
          TableName: 'accounts',
          Key: { pk: { S: 'a' }, sk: { S: 'balance' } },
          UpdateExpression: 'ADD krw :one',
          ExpressionAttributeValues: { ':one': { N: '1' } },
        },
      },
    ],
  };
  for (let start = 0; start < 2; start += 1) {
    const database = await openDynamoDatabase(directory);
    await createTables(database, tableNames);
    await database.execute('TransactWriteItems', request);
    expect(
      await database.execute('GetItem', { TableName: 'accounts', Key: request.TransactItems[0]?.Update.Key }),
    ).toMatchObject({
      Item: { krw: { N: '1' } },
    });
    await database.close();
  }
});
