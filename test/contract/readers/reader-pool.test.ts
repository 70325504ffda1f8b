import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { SHIPPED_MASTER } from '../../../functions/adapters/drug-master/shipped-master.ts';
import { ReaderPool, type ReaderPoolOptions } from '../../../functions/adapters/readers/pool/reader-pool.ts';
import { ReaderStopped } from '../../../functions/adapters/readers/pool/reader-process.ts';
import { ImageRefused } from '../../../functions/extraction/domain/reading/image-refused.ts';
import { ReaderUnavailable } from '../../../functions/extraction/domain/reading/reader-unavailable.ts';
import { DEFAULT_TEMPLATE_ID, knownTemplate } from '../../../functions/extraction/domain/templates.ts';
import { nestedFormsPdf, pdf } from '../../helpers/files.ts';
import { blankPage, oneLinePage } from '../../helpers/page-images.ts';

const page = await oneLinePage();
/** For tests of turns, where the content does not matter. */
const blank = await blankPage(400, 300);
const template = knownTemplate(DEFAULT_TEMPLATE_ID);
const today = '2026-11-02';
const MINUTE_MS = 60_000;
const pools: ReaderPool[] = [];
/** A bucket of own drug lists in which no workspace has one. */
const emptyBucket = createServer((_, response) => {
  response.writeHead(404).end();
});

beforeAll(async () => {
  await once(emptyBucket.listen(0, '127.0.0.1'), 'listening');
  process.env.AWS_ENDPOINT_URL_S3 = `http://127.0.0.1:${(emptyBucket.address() as AddressInfo).port}`;
  process.env.AWS_REGION ??= 'us-east-1';
  process.env.AWS_ACCESS_KEY_ID ??= 'test';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'test';
});

afterAll(() => {
  emptyBucket.close();
});

afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
  vi.unstubAllEnvs();
});

function openPool(options: Partial<ReaderPoolOptions> = {}): ReaderPool {
  const pool = new ReaderPool({
    reader: { usual: 'embedded', servicesReachable: false },
    ocrDirectory: 'layers/ocr',
    drugMaster: SHIPPED_MASTER.href,
    formularies: 'own-lists',
    threads: 1,
    processes: 1,
    maxWaiting: 10,
    pageSeconds: 100,
    maxMemoryMegabytes: 1200,
    ...options,
  });
  pools.push(pool);
  return pool;
}

it('reads pages one after the other in the same process', async () => {
  const pool = openPool();
  await pool.warm();
  const [process] = pool.processIds;
  const readings = await Promise.all([pool.judge(page, template, { today }), pool.judge(page, template, { today })]);
  expect(readings[0].page.items.length).toBeGreaterThan(0);
  expect(readings[1]).toEqual(readings[0]);
  expect(pool.processIds).toEqual([process]);
});

it('writes nothing but its answer: the runtime of its model keeps no log and reports nothing to its maker', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tripod-test-'));
  for (const name of ['HOME', 'TMPDIR', 'XDG_CACHE_HOME']) vi.stubEnv(name, folder);
  // By these the runtime knows that it is tested, and is silent anyway.
  for (const name of ['CI', 'GITHUB_ACTIONS', 'TF_BUILD']) vi.stubEnv(name, undefined);
  try {
    await openPool().judge(page, template, { today });
    expect(await readdir(folder, { recursive: true })).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('reads as many pages at the same time as it has processes', async () => {
  const pool = openPool({ processes: 2 });
  const readings = Promise.all([
    pool.judge(page, template, { today }),
    pool.judge(page, template, { today }),
    pool.judge(page, template, { today }),
  ]);
  expect(pool.processIds).toHaveLength(2);
  const [first, ...others] = await readings;
  for (const other of others) expect(other).toEqual(first);
  expect(pool.processIds).toHaveLength(2);
});

it('reads by deadline, and pages without a deadline last', async () => {
  const pool = openPool();
  const order: string[] = [];
  const read = async (name: string, deadlineMs?: number) => {
    await pool.judge(blank, template, { today, deadlineMs });
    order.push(name);
  };
  const now = Date.now();
  await Promise.all([
    read('at hand'),
    read('whenever'),
    read('of a batch', now + 20 * MINUTE_MS),
    read('single', now + 10 * MINUTE_MS),
  ]);
  expect(order).toEqual(['at hand', 'single', 'of a batch', 'whenever']);
});

it('reads the page of another workspace next, however many pages one workspace has waiting', async () => {
  const pool = openPool({ maxWaiting: 12 });
  const order: string[] = [];
  const read = async (workspaceId: string, deadlineMs?: number) => {
    await pool.judge(blank, template, { today, workspaceId, deadlineMs });
    order.push(workspaceId);
  };
  const flood = Array.from({ length: 5 }, () => read('greedy', Date.now() + 10 * MINUTE_MS));
  await Promise.all([...flood, read('modest', Date.now() + MINUTE_MS)]);
  expect(order.indexOf('modest')).toBe(1);
});

it('keeps places for others: one workspace gets half of them, and not the last', async () => {
  const pool = openPool({ maxWaiting: 4 });
  const reads = Array.from({ length: 5 }, () => pool.judge(blank, template, { today, workspaceId: 'greedy' }));
  const others = ['a', 'b', 'c'].map((workspaceId) => pool.judge(blank, template, { today, workspaceId }));
  const outcomes = (await Promise.allSettled([...reads, ...others])).map(({ status }) => status);
  expect(outcomes).toEqual([
    ...['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
    ...['fulfilled', 'fulfilled', 'rejected'],
  ]);
});

it('refuses at once what it could not read in time, and says when to come back', async () => {
  const pool = openPool();
  const atHand = pool.judge(page, template, { today });
  const refused = pool.judge(page, template, { today, deadlineMs: Date.now() + 100 });
  await expect(refused).rejects.toBeInstanceOf(ReaderUnavailable);
  await expect(refused).rejects.not.toBeInstanceOf(ReaderStopped);
  await expect(refused).rejects.toMatchObject({ retryAfterSeconds: expect.any(Number) });
  expect((await refused.catch((error) => error)).retryAfterSeconds).toBeGreaterThanOrEqual(1);
  expect((await atHand).page.items.length).toBeGreaterThan(0);
});

it('refuses pages whose time is over before they start, without losing a process', async () => {
  const pool = openPool();
  await pool.warm();
  await expect(pool.judge(page, template, { today, deadlineMs: Date.now() - 1 })).rejects.toBeInstanceOf(
    ReaderUnavailable,
  );
  expect(pool.processIds).toHaveLength(1);
});

it('lets no more pages wait than it may', async () => {
  const pool = openPool({ maxWaiting: 1 });
  const [atHand, waiting, tooMany] = [
    pool.judge(page, template, { today }),
    pool.judge(page, template, { today }),
    pool.judge(page, template, { today }),
  ];
  await expect(tooMany).rejects.toBeInstanceOf(ReaderUnavailable);
  expect((await atHand).page.items.length).toBeGreaterThan(0);
  expect((await waiting).page.items.length).toBeGreaterThan(0);
});

it('tells refused images apart from failures, and keeps its process', async () => {
  const pool = openPool();
  const refused = pool.judge(Buffer.from('no image'), template, { today });
  await expect(refused).rejects.toBeInstanceOf(ImageRefused);
  await expect(refused).rejects.toMatchObject({ refusal: 'unsupported_media_type' });
  expect(pool.processIds).toHaveLength(1);
});

it('loses only the page at hand when a process is killed', async () => {
  const pool = openPool();
  await pool.warm();
  const [first, second] = [pool.judge(page, template, { today }), pool.judge(page, template, { today })];
  first.catch(() => undefined);
  await sleep(50);
  process.kill(pool.processIds[0]!, 'SIGKILL');
  await expect(first).rejects.toBeInstanceOf(ReaderStopped);
  expect((await second).page.items.length).toBeGreaterThan(0);
});

it('starts anew when an idle process has died', async () => {
  const pool = openPool();
  await pool.warm();
  process.kill(pool.processIds[0]!, 'SIGKILL');
  while (pool.processIds.length > 0) await sleep(20);
  expect((await pool.judge(page, template, { today })).page.items.length).toBeGreaterThan(0);
});

it('gives up a page that uses too much processor time', async () => {
  const pool = openPool({ pageSeconds: 0.05 });
  await expect(pool.judge(page, template, { today })).rejects.toThrow('used more than its time of the processor');
  expect(pool.processIds).toEqual([]);
});

it.skipIf(process.platform === 'win32')(
  'reads a page whose process got no processor for longer than the page may use one',
  async () => {
    const pool = openPool({ pageSeconds: 8 });
    await pool.warm();
    const [pid = 0] = pool.processIds;
    process.kill(pid, 'SIGSTOP');
    const judging = pool.judge(page, template, { today });
    await sleep(10_000);
    process.kill(pid, 'SIGCONT');
    expect((await judging).page.items.length).toBeGreaterThan(0);
  },
);

it('replaces a process that has grown too large', async () => {
  const pool = openPool({ maxMemoryMegabytes: 1 });
  expect((await pool.judge(page, template, { today })).page.items.length).toBeGreaterThan(0);
  expect(pool.processIds).toEqual([]);
});

it('replaces a process that a refused page has made large, and reads the next PDF in a new one', async () => {
  const pool = openPool({ maxMemoryMegabytes: 700 });
  await pool.warm();
  const [poisoned] = pool.processIds;
  await expect(pool.judge(nestedFormsPdf(7), template, { today })).rejects.toMatchObject({
    refusal: 'unreadable_image',
  });
  expect(pool.processIds).not.toContain(poisoned);
  expect(
    (await pool.judge(pdf([{ width: 360, height: 720 }]), template, { today })).page.geometry.source.width,
  ).toBeGreaterThan(0);
});

it('reports the missing file when there is no model', async () => {
  const pool = openPool({ ocrDirectory: 'test/fixtures/no-model' });
  await expect(pool.warm()).rejects.toThrow(/reader cannot start.*no-model/s);
  // Trying again would not help: this is not a state that passes.
  await expect(pool.warm()).rejects.not.toBeInstanceOf(ReaderUnavailable);
});

it('rejects what still waits when it is closed', async () => {
  const pool = openPool();
  const waiting = [pool.judge(page, template, { today }), pool.judge(page, template, { today })];
  pool.close();
  const outcomes = await Promise.allSettled(waiting);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(pool.judge(page, template, { today })).rejects.toBeInstanceOf(ReaderStopped);
});
