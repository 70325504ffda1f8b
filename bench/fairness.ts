/**
 * `npm run bench fairness [-- --rounds 15] [--flood extraction]`: measures a workspace's waiting times for a program,
 * a page, a chat answer and its balance while another one floods each of the services, and compares them with quiet ones of the same
 * run. Exits with 1 if the p95 of one is more than three times as long.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { USER_LIMIT_PER_MINUTE } from '../functions/shared/limits/base-limits.ts';
import { mapValues } from '../lib/map-values.ts';
import { oneOf, wholeNumber } from './arguments.ts';
import type { Flood } from './fairness/flood.ts';
import { type LocalService, posted, registered, startLocalService } from './local-service.ts';

const MAX_RATIO = 3;
const AT_ONCE = 20;
/** For its programs and pages to be everywhere before the other one asks. */
const FLOOD_AHEAD_MS = 5_000;
/** After a flood, for what it left behind. */
const EBB_MS = 10_000;
const RETRY_MS = 200;
const MAX_TRIES = 600;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' }, flood: { type: 'string' } } });
const rounds = wholeNumber(values.rounds, '--rounds');

interface Tenant {
  readonly url: string;
  readonly key: string;
  readonly applicationId: string;
  /** Renders a template for each of its items. */
  readonly workflowId: string;
}

const page = await readFile(new URL('../docs/sample-page.png', import.meta.url), 'base64');
const hello = { language: 'python', code: 'print("hello")' };
/** Busy for two seconds. */
const busy = {
  language: 'python',
  code: 'import time\nend = time.time() + 2\nwhile time.time() < end: pass',
  timeout: 10,
};
const question = { messages: [{ role: 'user', content: 'When are you open?' }] };

const ask = {
  'hello world': (tenant: Tenant) => post(tenant, '/api/v1/execute', hello),
  'a page': (tenant: Tenant) => post(tenant, '/api/v1/edi-extract-lite/extract', { image: page }),
  'an answer': (tenant: Tenant) => post(tenant, completionsOf(tenant), question),
  'a balance': async ({ url, key }: Tenant) => {
    const response = await fetch(`${url}/api/v1/balance`, { headers: { 'x-api-key': key } });
    await response.arrayBuffer();
    return response.status;
  },
} as const;
type Asked = keyof typeof ask;

type Sent = readonly [path: string, body: object];

const floods = {
  sandbox: (): Sent => ['/api/v1/execute', busy],
  'sandbox, queued': (): Sent => ['/api/v1/execute/async', busy],
  extraction: (): Sent => ['/api/v1/edi-extract-lite/extract', { image: page }],
  'extraction, queued': (): Sent => [
    '/api/v1/edi-extract-lite/extract-batch-async',
    { images: Array.from({ length: 10 }, () => page) },
  ],
  chat: (tenant: Tenant): Sent => [completionsOf(tenant), question],
  workflows: ({ workflowId }: Tenant): Sent => [
    `/api/v1/workflows/${workflowId}/run`,
    { inputs: { items: Array.from({ length: 300 }, (_, index) => index) } },
  ],
} as const;

const service = await startLocalService([], { USER_LIMIT_PER_MINUTE: String(USER_LIMIT_PER_MINUTE) });
try {
  const [greedy, other] = [await newTenant(service, 'greedy'), await newTenant(service, 'other')];
  console.log(`${rounds} rounds; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`);
  for (const asked of names(ask)) await untilAnswered(asked, other);
  const quiet = await measured(other);
  for (const asked of names(ask)) console.log(`${asked.padEnd(12)} quiet ${inMs(quiet[asked])}`);
  for (const flood of values.flood === undefined ? names(floods) : [oneOf(names(floods), values.flood, '--flood')]) {
    const flooding = startFlood(greedy, ...floods[flood](greedy));
    await sleep(FLOOD_AHEAD_MS);
    const figures = await measured(other).catch(async (error: unknown) => {
      await flooding.end();
      throw error;
    });
    const answers = Object.entries(Object.groupBy(await flooding.end(), String));
    console.log(`\n${flood} flooded (${answers.map(([status, all]) => `${all?.length} × ${status}`).join(', ')})`);
    for (const asked of names(ask)) {
      const ratio = figures[asked].p95Ms / quiet[asked].p95Ms;
      const verdict = ratio <= MAX_RATIO ? 'ok' : 'MISSED';
      if (ratio > MAX_RATIO) process.exitCode = 1;
      console.log(
        `${asked.padEnd(12)}       ${inMs(figures[asked])}, ${figures[asked].refusals} refused, p95 ${ratio.toFixed(2)} × (bar ${MAX_RATIO}) ${verdict}`,
      );
    }
    await sleep(EBB_MS);
  }
} finally {
  await service.end();
}

interface Figure {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly refusals: number;
}

/** Each kind in turn; a refused request is repeated after its Retry-After, and that time counts. */
async function measured(tenant: Tenant): Promise<Record<Asked, Figure>> {
  const tookMs: Record<Asked, number[]> = { 'hello world': [], 'a page': [], 'an answer': [], 'a balance': [] };
  const refusals: Record<Asked, number> = { 'hello world': 0, 'a page': 0, 'an answer': 0, 'a balance': 0 };
  for (let round = 0; round < rounds; round++)
    for (const asked of names(ask)) {
      const begun = performance.now();
      refusals[asked] += await untilAnswered(asked, tenant);
      tookMs[asked].push(performance.now() - begun);
      // The chat lets one caller through every three seconds, after five at once.
      if (asked === 'an answer') await sleep(2_800);
    }
  return mapValues(tookMs, (all, asked) => {
    const sorted = all.toSorted((a, b) => a - b);
    return {
      p50Ms: sorted[Math.floor(all.length / 2)]!,
      p95Ms: sorted[Math.ceil(all.length * 0.95) - 1]!,
      refusals: refusals[asked],
    };
  });
}

function inMs({ p50Ms, p95Ms }: Figure): string {
  return `${p50Ms.toFixed(0).padStart(6)} ms p50 ${p95Ms.toFixed(0).padStart(6)} ms p95`;
}

/**
 * @returns the number of refusals before.
 * @throws Error for a refusal that no wait resolves, and for one that never ends.
 */
async function untilAnswered(asked: Asked, tenant: Tenant): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const status = await ask[asked](tenant);
    if (status === 200) return tries;
    if (![429, 503, 504].includes(status)) throw new Error(`${asked} was answered with ${status}`);
    await sleep(RETRY_MS);
  }
  throw new Error(`${asked} was refused ${MAX_TRIES} times in a row`);
}

function startFlood({ url, key }: Tenant, path: string, body: object): { end(): Promise<readonly number[]> } {
  const child = fork(new URL('fairness/flood.ts', import.meta.url));
  const flood: Flood = { url: url + path, key, body: JSON.stringify(body), atOnce: AT_ONCE, retryMs: RETRY_MS };
  child.send(flood);
  return {
    async end() {
      const statuses = once(child, 'message');
      child.send('end');
      return (await statuses)[0];
    },
  };
}

async function newTenant({ url }: LocalService, name: string): Promise<Tenant> {
  const { apiKey: key } = await registered(url, name);
  const application = await posted(`${url}/api/v1/applications`, key, { name, type: 'chat' });
  const each = { items: '{{start.items}}', output: '{{line.text}}', concurrency: 20 };
  const graph = {
    nodes: [
      { id: 'start', type: 'start', data: { config: { fields: [{ name: 'items', type: 'list' }] } } },
      { id: 'each', type: 'iteration', data: { config: each } },
      {
        id: 'line',
        type: 'template',
        parent_id: 'each',
        data: { config: { template: 'Line {{ v }}' }, inputs: { v: '{{each.index}}' } },
      },
      { id: 'end', type: 'answer', data: { config: { text: '{{each.count}}' } } },
    ],
    edges: [
      { source: 'start', target: 'each' },
      { source: 'each', target: 'end' },
    ],
  };
  const workflow = await posted(`${url}/api/v1/workflows`, key, { name, graph });
  await posted(`${url}/api/v1/workflows/${workflow.data.id}/versions`, key, {});
  return { url, key, applicationId: application.data.id, workflowId: workflow.data.id };
}

async function post({ url, key }: Tenant, path: string, body: object): Promise<number> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}

function completionsOf({ applicationId }: Tenant): string {
  return `/api/v1/chat/${applicationId}/chat/completions`;
}

function names<Name extends string>(record: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(record) as Name[];
}
