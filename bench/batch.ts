/**
 * `npm run bench batch -- [--pages 100]`: compares a batch of pages with the same pages as single calls, one after the other, through the
 * same local service in the same run.
 */
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { wholeNumber } from './arguments.ts';
import { fixturePages, type LocalService, readPage, startLocalService } from './local-service.ts';

const { values } = parseArgs({ options: { pages: { type: 'string', default: '100' } } });
const count = Math.min(100, wholeNumber(values.pages, '--pages'));
const service = await startLocalService();
try {
  const fixtures = await fixturePages();
  const pages = Array.from({ length: count }, (_, n) => fixtures[n % fixtures.length]!);
  await post(service, '/api/v1/balance/top-ups', { amountKrw: 2 * count * 200, reference: 'bench:batch' });
  // Both readers load their models once.
  await Promise.all(pages.slice(0, 2).map((page) => readPage(service, page)));

  console.log(`${count} pages; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`);
  const single = await pagesAMinute('single calls in a loop', async () => {
    for (const page of pages) {
      const status = await readPage(service, page);
      if (status !== 200) throw new Error(`a single call answered ${status}`);
    }
  });
  const batch = await pagesAMinute('batch', () => readBatch(service, pages));
  console.log(`\nbatch / single: ${(batch / single).toFixed(2)} x`);
} finally {
  await service.end();
}

async function pagesAMinute(name: string, work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  const rate = (count * 60) / seconds;
  console.log(`${name.padEnd(24)} ${seconds.toFixed(1).padStart(7)} s   ${rate.toFixed(1).padStart(6)} pages/min`);
  return rate;
}

/** Sends a batch and polls it to its end; throws when an image failed. */
async function readBatch(target: LocalService, images: readonly string[]): Promise<void> {
  const { pollUrl } = (await post(target, '/api/v1/edi-extract-lite/extract-batch-async', { images })) as {
    pollUrl: string;
  };
  for (;;) {
    const response = await fetch(pollUrl, { headers: { 'x-api-key': target.apiKey } });
    const job = (await response.json()) as { status: string; failed: number; total: number };
    if (job.status === 'completed' && job.failed === 0) return;
    if (job.failed > 0) throw new Error(`${job.failed} of ${job.total} images failed`);
    await sleep(200);
  }
}

async function post({ url, apiKey }: LocalService, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
