/**
 * `npm run bench gateway`: the time of GET /api/v1/balance through the local service, idle and while four pages are being read, for one
 * client that asks now and then, a hundred that each ask once a second, and a hundred that ask without a pause, compared with a bare
 * node:http server in the same run.
 */
import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcess, fixturePages, type LocalService, readPage, readyUrl, startLocalService } from './local-service.ts';

const CALLS = 500;
const WARM_UP_CALLS = 100;
const PAGES_AT_ONCE = 4;
/** One call every so often, as independent clients make them; a loop of back-to-back calls would hide every stall. */
const PACE_MS = 20;
const CLIENTS = 100;
const CALLS_OF_CLIENTS = 3_000;
/** How long a client does something else between two calls. */
const CLIENT_PAUSE_MS = 1_000;

const bareServer = `
  const server = require('node:http').createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end('{"balanceKrw":10000}');
  });
  server.listen(0, '127.0.0.1', () => console.log('Tripod is ready: http://127.0.0.1:' + server.address().port));`;

const service = await startLocalService();
const bare = spawn(process.execPath, ['-e', bareServer], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const bareUrl = await readyUrl(bare);
  const { url, apiKey } = service;
  const balance = { url: `${url}/api/v1/balance`, headers: { 'x-api-key': apiKey } };
  const pages = await fixturePages();
  await measure(balance, WARM_UP_CALLS);
  // The first page pays for loading the models.
  const first = await readPage(service, pages[0] ?? '');
  if (first !== 200) throw new Error(`Pages cannot be read: extract answered ${first}`);

  console.log(`${CALLS} calls, one every ${PACE_MS} ms; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`);
  print('bare node:http, idle', await measure({ url: bareUrl, headers: {} }, CALLS));
  print('GET /balance, idle', await measure(balance, CALLS));
  print(`GET /balance, ${CLIENTS} clients`, await measureClients(balance, CLIENT_PAUSE_MS));
  print(`GET /balance, ${CLIENTS} clients, no pause`, await measureClients(balance, 0));

  const reading = new AbortController();
  const reads = Promise.all(
    Array.from({ length: PAGES_AT_ONCE }, (_, n) => keepReading(service, pages, n, reading.signal)),
  );
  // Heard below, like the calls of `measure`.
  reads.catch(() => undefined);
  print(`bare node:http, ${PAGES_AT_ONCE} pages being read`, await measure({ url: bareUrl, headers: {} }, CALLS));
  print(`GET /balance, ${PAGES_AT_ONCE} pages being read`, await measure(balance, CALLS));
  print(`GET /balance, ${CLIENTS} clients, ${PAGES_AT_ONCE} pages`, await measureClients(balance, CLIENT_PAUSE_MS));
  print(`GET /balance, ${CLIENTS} clients, no pause, ${PAGES_AT_ONCE} pages`, await measureClients(balance, 0));
  reading.abort();
  const statuses = Object.entries(Object.groupBy((await reads).flat(), String));
  const counts = statuses.map(([status, answers]) => `${answers?.length} times ${status}`);
  console.log(`\nanswers to the pages that were sent meanwhile: ${counts.join(', ')}`);
} finally {
  await Promise.all([endProcess(bare), service.end()]);
}

interface Target {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** @returns the durations in ms of `calls` paced GETs; throws at the first answer that is not 200. */
async function measure({ url, headers }: Target, calls: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const durations: Promise<number>[] = [];
  for (let n = 0; n < calls; n += 1) {
    const call = timedGet(url, headers, agent);
    // Heard below; until then it must not end the process before the servers are ended.
    call.catch(() => undefined);
    durations.push(call);
    await sleep(PACE_MS);
  }
  const all = await Promise.all(durations);
  agent.destroy();
  return all;
}

/** Every client asks again `pauseMs` after it has its answer; the first calls are spread over a pause. */
async function measureClients({ url, headers }: Target, pauseMs: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const durations: number[] = [];
  let begun = 0;
  const client = async (_: unknown, n: number) => {
    if (pauseMs > 0) await sleep((n / CLIENTS) * pauseMs);
    while (begun++ < CALLS_OF_CLIENTS) {
      durations.push(await timedGet(url, headers, agent));
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  agent.destroy();
  return durations;
}

function timedGet(url: string, headers: Record<string, string>, agent: Agent): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    request(url, { headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`GET ${url} answered ${response.statusCode}`));
      response.resume().once('end', () => resolve(performance.now() - begun));
    })
      .once('error', reject)
      .end();
  });
}

/** Extracts one page after the other until it is stopped. @returns the status of every answer. */
async function keepReading(
  service: LocalService,
  pages: readonly string[],
  first: number,
  signal: AbortSignal,
): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = first; !signal.aborted; n += 1) {
    statuses.push(await readPage(service, pages[n % pages.length] ?? ''));
  }
  return statuses;
}

function print(name: string, durations: number[]): void {
  const sorted = durations.toSorted((a, b) => a - b);
  const percentile = (p: number) => (sorted[Math.ceil((p / 100) * sorted.length) - 1] ?? Number.NaN).toFixed(1);
  console.log(
    `${name.padEnd(46)} p50 ${percentile(50).padStart(7)} ms   p99 ${percentile(99).padStart(7)} ms   max ${percentile(100).padStart(7)} ms`,
  );
}
