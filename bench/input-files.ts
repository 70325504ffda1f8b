/**
 * `npm run bench input-files [-- --calls 200]`: a workspace's waiting times and the service's memory while another workspace
 * has many calls under way whose programs find an upload of 24 MiB, compared with
 * quiet ones of the same run.
 */
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { wholeNumber } from './arguments.ts';
import { type LocalService, startLocalService } from './local-service.ts';

const UPLOAD_BYTES = 24 * 2 ** 20;
const MAX_GROWTH_MB = 150;
const MAX_RATIO = 2;
/** Of the neighbour, who has a hundred executions a minute too. */
const ROUNDS = 45;
const SAMPLE_MS = 50;
/** For the calls to be in line before the other one asks. */
const AHEAD_MS = 2_000;

const { values } = parseArgs({ options: { calls: { type: 'string', default: '200' } } });
const calls = wholeNumber(values.calls, '--calls');
const hello = { language: 'bash', code: 'echo hi' };

const service = await startLocalService();
try {
  const neighbour = await newKey(service);
  console.log(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`);
  const files = [{ path: 'data', upload_url: await upload(service) }];
  const heavy = JSON.stringify({ language: 'bash', code: 'wc -c < data', files });
  // Everything was used once before.
  await answered(service.apiKey, heavy);
  await measured(neighbour, 5);
  const quiet = await measured(neighbour, ROUNDS);
  const before = memoryMb(service);
  let isOver = false;
  let most = before;
  const keys = [service.apiKey, await furtherKey(service)];
  const statuses = new Map<number, number>();
  const flood = Promise.all(
    Array.from({ length: calls }, async (_, index) => {
      const status = await answered(keys[index % keys.length] ?? '', heavy);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }),
  ).then(() => {
    isOver = true;
  });
  const sampling = (async () => {
    for (; !isOver; await sleep(SAMPLE_MS)) most = Math.max(most, memoryMb(service));
  })();
  await sleep(AHEAD_MS);
  const beside = await measured(neighbour, ROUNDS, () => isOver);
  await flood;
  await sampling;
  const found = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  console.log(
    `${calls} calls at once by two keys of a workspace: ${found}; the neighbour asked ${beside.balance.length} times meanwhile`,
  );
  console.log(`memory ${before} MB, at most ${most}: + ${most - before} MB (bar ${MAX_GROWTH_MB})`);
  for (const [name, times] of Object.entries(beside)) {
    const alone = quiet[name as keyof typeof quiet];
    const ratio = (percentile(times, 0.99) / percentile(alone, 0.99)).toFixed(2);
    console.log(
      `${name.padEnd(12)} p50 ${percentile(alone, 0.5).toFixed(0)} to ${percentile(times, 0.5).toFixed(0)} ms, p99 ${percentile(alone, 0.99).toFixed(0)} to ${percentile(times, 0.99).toFixed(0)} ms: ${ratio} × (bar ${MAX_RATIO})`,
    );
  }
} finally {
  await service.end();
}

async function measured(
  key: string,
  rounds: number,
  isOver = () => false,
): Promise<{ 'echo hi': number[]; balance: number[] }> {
  const times = { 'echo hi': [] as number[], balance: [] as number[] };
  for (let round = 0; round < rounds && !isOver(); round += 1) {
    const startedMs = performance.now();
    const status = await answered(key, JSON.stringify(hello));
    const betweenMs = performance.now();
    if (status !== 200) throw new Error(`The neighbour got ${status}.`);
    const balance = await fetch(`${service.url}/api/v1/balance`, { headers: { 'x-api-key': key } });
    await balance.arrayBuffer();
    times['echo hi'].push(betweenMs - startedMs);
    times.balance.push(performance.now() - betweenMs);
  }
  return times;
}

async function answered(key: string, body: string): Promise<number> {
  const response = await fetch(`${service.url}/api/v1/execute`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

async function upload({ url, apiKey }: LocalService): Promise<string> {
  const response = await fetch(`${url}/api/v1/execute/uploads`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ size: UPLOAD_BYTES }),
  });
  const { upload_url } = (await response.json()) as { upload_url: string };
  const put = await fetch(upload_url, { method: 'PUT', body: Buffer.alloc(UPLOAD_BYTES, 7) });
  if (!put.ok) throw new Error(`The upload got ${put.status}.`);
  return upload_url;
}

/** The first key has a hundred executions a minute. */
async function furtherKey({ url, apiKey }: LocalService): Promise<string> {
  const response = await fetch(`${url}/api/v1/api-keys`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'further' }),
  });
  const { data } = (await response.json()) as { data: { key: string } };
  return data.key;
}

/** A key of another workspace. */
async function newKey({ url }: LocalService): Promise<string> {
  const response = await fetch(`${url}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'other@example.com', password: 'correct horse battery', workspace_name: 'other' }),
  });
  const { data } = (await response.json()) as { data: { api_key: { key: string } } };
  return data.api_key.key;
}

function memoryMb({ pid }: LocalService): number {
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}

function percentile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0;
}
