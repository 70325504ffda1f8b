import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountKey } from '../../functions/adapters/dynamodb/keys.ts';
import { openDynamoDatabase } from '../../local/embedded/dynamodb/database.ts';
import { call, extractCall, extractWhenFree } from '../helpers/api.ts';
import { batchCall, finishedJob, jobCall } from '../helpers/batch.ts';
import { complete, createApplication } from '../helpers/chat.ts';
import { shortPage } from '../helpers/page-images.ts';
import { unpackPreviousVersion } from '../helpers/previous-version.ts';
import { type ServiceProcess, startServiceProcess } from '../helpers/service.ts';

const CALL_KRW = 200;
const IMAGES = 4;
const CHAT = { messages: [{ role: 'user', content: 'hello' }] };

let folder: string;
let cannot: string;
let image: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tripod-rollback-'));
  cannot = unpackPreviousVersion(join(folder, 'previous'));
  image = (await shortPage()).toString('base64');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const dataDir = () => join(folder, 'data');
const present = () => startServiceProcess({ dataDir: dataDir() });
const previous = () => startServiceProcess({ dataDir: dataDir(), root: join(folder, 'previous') });

async function get(service: ServiceProcess, path: string): Promise<Record<string, unknown>> {
  const { status, json } = await call(service, 'GET', path);
  expect(status, `${path} ${JSON.stringify(json)}`).toBe(200);
  return json as Record<string, unknown>;
}

/** Each entry follows from the one before, the last one is the balance, and no reference was paid twice. */
async function exactLedger(service: ServiceProcess): Promise<readonly string[]> {
  const { entries } = (await get(service, '/api/v1/balance/entries?limit=100')) as {
    entries: { id: string; amountKrw: number; balanceAfterKrw: number; reference: string | null }[];
  };
  let balanceKrw = 0;
  for (const entry of entries.toReversed()) {
    balanceKrw += entry.amountKrw;
    expect(entry.balanceAfterKrw, entry.id).toBe(balanceKrw);
  }
  expect((await get(service, '/api/v1/balance')).balanceKrw).toBe(balanceKrw);
  const references = entries.flatMap(({ reference }) => reference ?? []);
  expect(new Set(references).size).toBe(references.length);
  return entries.map(({ id }) => id);
}

/** From now on calls are charged. */
async function useUpFreeCalls({ workspaceId }: ServiceProcess): Promise<void> {
  const database = await openDynamoDatabase(join(dataDir(), 'dynamodb'));
  const { pk, sk } = accountKey(workspaceId);
  await database.execute('UpdateItem', {
    TableName: 'tripod-accounts',
    Key: { pk: { S: pk }, sk: { S: sk } },
    UpdateExpression: 'SET freeCallsUsed = :free',
    ExpressionAttributeValues: { ':free': { N: '10' } },
  });
  await database.close();
}

it('a rollback finds all data of the newer version, charges nothing twice, and the newer one continues after it', async ({
  skip,
}) => {
  if (cannot !== '') skip(cannot);
  const first = await present();
  await first.stop();
  await useUpFreeCalls(first);

  const newer = await present();
  const paid = await extractWhenFree(newer, newer, { image }, 'before-rollback');
  expect([paid.status, paid.json]).toMatchObject([200, { cost: { krw: CALL_KRW } }]);
  const application = await createApplication(newer);
  const lists = ['/api/v1/applications', '/api/v1/knowledge-bases', '/api/v1/workflows', '/api/v1/channels'];
  expect((await call(newer, 'POST', '/api/v1/knowledge-bases', { body: { name: 'guides' } })).status).toBe(201);
  const shown = await Promise.all(lists.map((path) => get(newer, path)));
  const batch = await batchCall(newer, newer, { images: Array(IMAGES).fill(image) }, 'batch');
  const { jobId } = batch.json as { jobId: string };
  const before = await exactLedger(newer);
  await newer.kill();

  const older = await previous();
  const replay = await extractCall(older, older, { image }, 'before-rollback');
  expect([replay.status, replay.json]).toEqual([200, paid.json]);
  // Its answers lack members that are newer than it.
  const job = async () => (await jobCall(older, older, jobId)).json;
  await expect
    .poll(job, { timeout: 120_000, interval: 500 })
    .toMatchObject({ status: 'completed', completed: IMAGES, failed: 0 });
  const afterRollback = await exactLedger(older);
  expect(afterRollback).toEqual(expect.arrayContaining([...before]));
  expect(afterRollback.length).toBe(before.length + IMAGES);
  const olderLists = await Promise.all(lists.map((path) => get(older, path)));
  expect(ids(shown).length).toBeGreaterThan(1);
  expect(ids(olderLists)).toEqual(ids(shown));
  expect((await complete(older, application.id, CHAT)).status).toBe(200);
  const charged = await extractWhenFree(older, older, { image }, 'during-rollback');
  expect([charged.status, charged.json]).toMatchObject([200, { cost: { krw: CALL_KRW } }]);
  await older.kill();

  const again = await present();
  const ledger = await exactLedger(again);
  expect(ledger.length).toBe(afterRollback.length + 1);
  for (const [key, answer] of [
    ['before-rollback', paid],
    ['during-rollback', charged],
  ] as const)
    expect((await extractCall(again, again, { image }, key)).json).toEqual(answer.json);
  expect(await exactLedger(again)).toEqual(ledger);
  expect(await finishedJob(again, again, jobId)).toMatchObject({ completed: IMAGES, failed: 0 });
  expect(ids(await Promise.all(lists.map((path) => get(again, path))))).toEqual(ids(shown));
  expect((await complete(again, application.id, CHAT)).status).toBe(200);
  await again.stop();
});

/** Every id in an answer. */
function ids(answer: unknown): readonly string[] {
  return [...JSON.stringify(answer).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id!);
}
