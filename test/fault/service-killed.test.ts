import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountKey } from '../../functions/adapters/dynamodb/keys.ts';
import { type DynamoDatabase, openDynamoDatabase } from '../../local/embedded/dynamodb/database.ts';
import { call, extractCall } from '../helpers/api.ts';
import { shortPage } from '../helpers/page-images.ts';
import { startServiceProcess } from '../helpers/service.ts';

let parent: string;
let opened: string;
let image: string;

/** A data directory whose workspace has used up its free calls and has 200 KRW left. */
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tripod-killed-'));
  opened = join(parent, 'opened');
  image = (await shortPage()).toString('base64');
  const service = await startServiceProcess({ dataDir: opened });
  await service.stop();
  const { pk, sk } = accountKey(service.workspaceId);
  await withDatabase(opened, (database) =>
    database.execute('UpdateItem', {
      TableName: 'tripod-accounts',
      Key: { pk: { S: pk }, sk: { S: sk } },
      UpdateExpression: 'SET balanceKrw = :balance, freeCallsUsed = :free',
      ExpressionAttributeValues: { ':balance': { N: '200' }, ':free': { N: '10' } },
    }),
  );
});
afterAll(() => rm(parent, { recursive: true, force: true }));

async function withDatabase<T>(dataDir: string, use: (database: DynamoDatabase) => Promise<T>): Promise<T> {
  const database = await openDynamoDatabase(join(dataDir, 'dynamodb'));
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

/** The stored data on disk when no service runs. */
function storedIn(dataDir: string) {
  return withDatabase(dataDir, async (database) => {
    const scan = async (TableName: string) => {
      const { Items } = await database.execute('Scan', { TableName });
      return (Items as Parameters<typeof unmarshall>[0][]).map((item) => unmarshall(item));
    };
    const accounts = await scan('tripod-accounts');
    const extractions = await scan('tripod-extractions');
    return {
      balanceKrw: accounts.find(({ sk }) => sk === 'ACCOUNT')?.balanceKrw,
      charges: accounts
        .filter(({ kind }) => kind === 'extraction')
        .map(({ amountKrw, reference }) => [amountKrw, reference]),
      extractions: extractions.map(({ extractionId }) => extractionId),
    };
  });
}

// Somewhere between the first byte of the request and the response; the invariant is the same at any moment.
it.each([10, 500, 2500])(
  'kill -9 %d ms into a call, restart, the call again: one charge, one entry, one extraction',
  async (delayMs) => {
    const dataDir = join(parent, `killed-${delayMs}`);
    await cp(opened, dataDir, { recursive: true });
    const service = await startServiceProcess({ dataDir });
    const cut = extractCall(service, service, { image }, 'order-1').catch(() => 'cut');
    await Promise.race([sleep(delayMs), cut]);
    await service.kill();
    await cut;

    const restarted = await startServiceProcess({ dataDir });
    // At once: a call that held the key has died with its process.
    const retry = await extractCall(restarted, restarted, { image }, 'order-1');
    expect(retry.status, JSON.stringify(retry.json)).toBe(200);
    expect(retry.json).toMatchObject({ foundTable: true, cost: { krw: 200, free: false }, balanceKrw: 0 });
    const { requestId } = retry.json as { requestId: string };
    await restarted.kill();

    expect(await storedIn(dataDir)).toEqual({ balanceKrw: 0, charges: [[-200, requestId]], extractions: [requestId] });

    const last = await startServiceProcess({ dataDir });
    const replay = await extractCall(last, last, { image }, 'order-1');
    expect(replay.json).toEqual(retry.json);
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect((await call(last, 'GET', `/api/v1/extractions/${requestId}`)).status).toBe(200);
    expect((await extractCall(last, last, { image }, 'order-2')).status).toBe(402);
    await last.stop();
  },
);
