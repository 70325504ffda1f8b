/**
 * `npm run bench overload [-- --clients 8 --pages 20 --batch 100]`: clients that read pages one after the other, alone and next to a batch of the same
 * service, and whether the Retry-After of a refused page holds: its first repetition succeeds. Exits with 1 for a 504, or a p95
 * of more than three times that of the same clients alone.
 */
import { readFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { wholeNumber } from './arguments.ts';
import { fixturePages, type LocalService, startLocalService } from './local-service.ts';

const MAX_RATIO = 3;
const MIN_HELD_SHARE = 0.9;
const MAX_TRIES = 100;

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '8' },
    pages: { type: 'string', default: '20' },
    batch: { type: 'string', default: '100' },
    page: { type: 'string' },
  },
});
const clients = wholeNumber(values.clients, '--clients');
const pagesEach = wholeNumber(values.pages, '--pages');
const batchPages = Math.min(100, wholeNumber(values.batch, '--batch'));

interface PageRead {
  /** From the first sending to the result, with all that was waited between. */
  readonly tookMs: number;
  /** Of each sending. */
  readonly statuses: readonly number[];
}

const service = await startLocalService();
try {
  const pages = values.page === undefined ? await fixturePages() : [(await readFile(values.page)).toString('base64')];
  await send(service, '/api/v1/balance/top-ups', { amountKrw: 10_000_000, reference: 'bench:overload' });
  await Promise.all(pages.slice(0, 2).map((page) => read(service, page)));
  console.log(
    `${clients} clients, ${pagesEach} pages each; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`,
  );
  const alone = report('alone', await readAll(service, pages));
  const images = Array.from({ length: batchPages }, (_, n) => pages[n % pages.length]!);
  const job = await send(service, '/api/v1/edi-extract-lite/extract-batch-async', { images });
  if (job.status !== 202) throw new Error(`The batch was answered with ${job.status}`);
  const beside = report(`next to a batch of ${batchPages}`, await readAll(service, pages));
  const ratio = beside.p95Ms / alone.p95Ms;
  console.log(`\np95 ${ratio.toFixed(2)} × (bar ${MAX_RATIO}) ${ratio <= MAX_RATIO ? 'ok' : 'MISSED'}`);
  if (ratio > MAX_RATIO || alone.timeouts + beside.timeouts > 0) process.exitCode = 1;
} finally {
  await service.end();
}

async function readAll(target: LocalService, pages: readonly string[]): Promise<PageRead[]> {
  const reads = await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const own: PageRead[] = [];
      for (let n = 0; n < pagesEach; n++) own.push(await read(target, pages[(client + n) % pages.length]!));
      return own;
    }),
  );
  return reads.flat();
}

/** Sends a page until it is read, as the answers say. */
async function read(target: LocalService, image: string): Promise<PageRead> {
  const startedMs = performance.now();
  const statuses: number[] = [];
  while (statuses.length < MAX_TRIES) {
    const { status, retryAfterSeconds } = await send(target, '/api/v1/edi-extract-lite/extract', { image });
    statuses.push(status);
    if (status === 200) return { tookMs: performance.now() - startedMs, statuses };
    if (![429, 503, 504].includes(status)) throw new Error(`A page was answered with ${status}`);
    await sleep(retryAfterSeconds * 1000);
  }
  throw new Error(`A page was refused ${MAX_TRIES} times in a row`);
}

async function send({ url, apiKey }: LocalService, path: string, body: object) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return { status: response.status, retryAfterSeconds: Number(response.headers.get('retry-after') ?? 1) };
}

function report(name: string, reads: readonly PageRead[]): { readonly p95Ms: number; readonly timeouts: number } {
  const sorted = reads.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const [p50Ms, p95Ms] = [sorted[Math.floor(sorted.length / 2)]!, sorted[Math.ceil(sorted.length * 0.95) - 1]!];
  const count = (status: number) => reads.flatMap(({ statuses }) => statuses).filter((each) => each === status).length;
  const refused = reads.filter(({ statuses }) => statuses[0] === 503);
  const held = refused.filter(({ statuses }) => statuses[1] === 200).length;
  const share = refused.length === 0 ? 1 : held / refused.length;
  const verdict = share >= MIN_HELD_SHARE ? 'ok' : 'MISSED';
  console.log(
    `${name}: p50 ${(p50Ms / 1000).toFixed(1)} s, p95 ${(p95Ms / 1000).toFixed(1)} s; ${count(503)} × 503, ${count(504)} × 504`,
  );
  if (refused.length > 0)
    console.log(`  first repetition read: ${held} of ${refused.length} (bar ${MIN_HELD_SHARE * 100} %) ${verdict}`);
  return { p95Ms, timeouts: count(504) };
}
