import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { call, extractCall, extractWhenFree } from '../helpers/api.ts';
import { login, me, tokensOf } from '../helpers/auth.ts';
import { batchCall, finishedJob } from '../helpers/batch.ts';
import { until, whyNoSandbox } from '../helpers/sandbox.ts';
import { type InProcessService, startService } from '../helpers/service.ts';
import { bodyOf, firstRelease, restore } from '../helpers/upgrade.ts';

/** After the release was stopped: its leases have run out, its Idempotency-Keys and executions are still kept. */
const LATER_MS = 2 * 60 * 60_000;
const image = bodyOf(firstRelease, firstRelease.keyed.image).toString('base64');
const CALL_KRW = 200;

interface Entry {
  readonly id: string;
  readonly type: string;
  readonly amountKrw: number;
  readonly balanceAfterKrw: number;
  readonly reference: string | null;
}

let dataDir: string;
let service: InProcessService;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tripod-upgrade-'));
  await restore(firstRelease, dataDir);
  const now = Date.now.bind(Date);
  const earlierMs = now() - Date.parse(firstRelease.madeAt) - LATER_MS;
  vi.spyOn(Date, 'now').mockImplementation(() => now() - earlierMs);
  service = await startService({ dataDir });
});
afterAll(async () => {
  await service?.stop();
  vi.restoreAllMocks();
  await rm(dataDir, { recursive: true, force: true });
});

const get = async (path: string) => {
  const { status, json } = await call(service, 'GET', path);
  expect(status, `${path} ${JSON.stringify(json)}`).toBe(200);
  return json as Record<string, unknown>;
};
const balance = async () => (await get('/api/v1/balance')).balanceKrw as number;
const ledger = async () => ((await get('/api/v1/balance/entries?limit=100')) as { entries: Entry[] }).entries;

/** Each line follows from the one before, and the last one is the balance. */
async function expectExactLedger(): Promise<Entry[]> {
  const entries = await ledger();
  let balanceKrw = 0;
  for (const entry of entries.toReversed()) {
    balanceKrw += entry.amountKrw;
    expect(entry.balanceAfterKrw, entry.id).toBe(balanceKrw);
  }
  expect(await balance()).toBe(balanceKrw);
  const references = entries.flatMap(({ reference }) => reference ?? []);
  expect(new Set(references).size).toBe(references.length);
  return entries;
}

/** Lists that grow may hold more than they did. */
function withFurther(answer: object): object {
  const of = (list: readonly object[]) => expect.arrayContaining(list.map((each) => expect.objectContaining(each)));
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) =>
      name === 'entries' || name === 'executions' ? [name, of(value)] : [name, value],
    ),
  );
}

describe('what the first release wrote', () => {
  it('is answered as it answered: extractions, batches, executions, sessions, ledger', async () => {
    expect(service.apiKey).toBe(firstRelease.apiKey);
    // Work that was under way has changed the balance since, and may be on the lists.
    for (const { path, json } of firstRelease.answers)
      if (path !== '/api/v1/balance') expect(await get(path), path).toMatchObject(withFurther(json));
    const { result } = (await get(`/api/v1/execute/status/${firstRelease.executions.large}`)) as {
      result: { stdout: string };
    };
    expect(result.stdout).toBe(`${'x'.repeat(50_000)}\n`);
  });

  it('is not charged again: the call with its key is replayed, the payment is known', async () => {
    const { keyed, payment, batch } = firstRelease;
    await finishedJob(service, service, batch.response.jobId);
    const before = await ledger();
    const replay = await extractCall(service, service, { image }, keyed.key);
    expect([replay.status, replay.json]).toEqual([200, keyed.response]);
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    const again = await batchCall(service, service, { images: Array(batch.images).fill(image) }, batch.key);
    expect([again.status, again.json]).toMatchObject([202, { jobId: batch.response.jobId }]);
    const paid = await call(service, 'POST', '/api/v1/balance/top-ups', { body: payment.request });
    expect([paid.status, paid.json]).toMatchObject([201, { entry: payment.response.entry }]);
    expect(await ledger()).toEqual(before);
  });

  it('lets its owner log in, list the keys and move the threshold', async () => {
    const { access_token } = tokensOf(await login(service, firstRelease));
    expect((await me(service, access_token)).status).toBe(200);
    const bearer = { key: null, headers: { authorization: `Bearer ${access_token}` } };
    for (const path of ['/api/v1/api-keys', '/api/v1/members', '/api/v1/audit', '/api/v1/usage'])
      expect((await call(service, 'GET', path, bearer)).status, path).toBe(200);
    const moved = await call(service, 'PATCH', '/api/v1/balance', { body: { lowBalanceThresholdKrw: 100 } });
    expect([moved.status, moved.json]).toMatchObject([200, { lowBalanceThresholdKrw: 100 }]);
  });

  it('is mailed: the notice that waited', async () => {
    const notice = firstRelease.rows
      .accounts!.map((row) => row as { pk: { S: string }; sk: { S: string } })
      .find(({ pk }) => pk.S === 'OUTBOX')!;
    const file = join(dataDir, 'mail', `${notice.sk.S}.eml`);
    await expect
      .poll(() => readFile(file, 'utf8').catch(() => null), { timeout: 60_000 })
      .toContain(firstRelease.email);
  });
});

describe('work of the first release that was under way', () => {
  it('a batch continues after an upgrade: every image is read and charged once', async () => {
    const { batch } = firstRelease;
    const job = await finishedJob(service, service, batch.response.jobId);
    expect(job).toMatchObject({ status: 'completed', completed: batch.images, failed: 0 });
    const charged = (await expectExactLedger()).filter(({ reference }) =>
      job.images.some(({ extractionId }) => extractionId === reference),
    );
    expect(charged.map(({ amountKrw }) => amountKrw)).toEqual(Array(batch.images).fill(-CALL_KRW));
    expect(job.cost).toEqual({ krw: batch.images * CALL_KRW, freeCalls: 0 });
  });

  it('executions continue after an upgrade: the waiting program runs, the running ones are failed with a reason', async ({
    skip,
  }) => {
    const cannot = await whyNoSandbox(service);
    if (cannot !== '') skip(cannot);
    const { pending, running } = firstRelease.executions;
    const { status, result } = await until(service, pending);
    expect([status, result?.stdout]).toEqual(['completed', 'y'.repeat(20_000)]);
    for (const id of running)
      expect(await until(service, id)).toMatchObject({
        status: 'failed',
        result: { stderr: expect.stringContaining('was not started again') },
      });
  });
});

it('a new call of the old account is charged, and follows in its ledger', async () => {
  await finishedJob(service, service, firstRelease.batch.response.jobId);
  const before = await balance();
  const answer = await extractWhenFree(service, service, { image });
  expect([answer.status, answer.json]).toMatchObject([
    200,
    { cost: { krw: CALL_KRW, free: false }, balanceKrw: before - CALL_KRW },
  ]);
  const [newest] = await expectExactLedger();
  expect(newest).toMatchObject({
    type: 'extraction',
    amountKrw: -CALL_KRW,
    reference: (answer.json as { requestId: string }).requestId,
  });
});
