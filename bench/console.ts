/**
 * `npm run bench console`: the console's bars in a real Chromium against the whole local service, each with its figure. Ends with 1 where one is missed.
 *
 *     npm run bench console -- --only lighthouse,lists --runs 3
 *
 * Lighthouse comes from npm at the first run, into `node_modules/.cache/lighthouse`: with its 114 packages it is more than everything
 * else that the console is built and tested with.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildConsole } from '../lib/packaging/build-console.ts';
import { loadSizes } from '../lib/packaging/console-sizes.ts';
import { startLocalService } from '../local/service.ts';
import { wholeNumber } from './arguments.ts';
import { measureLighthouse } from './console/lighthouse.ts';
import { measureLists } from './console/lists.ts';
import { firstExtraction, keyboardReview } from './console/people.ts';
import type { Bench, Figure } from './console/visit.ts';
import { measureWidths } from './console/widths.ts';

const PARTS: Readonly<Record<string, (bench: Bench) => AsyncGenerator<Figure>>> = {
  sizes: measureSizes,
  newcomer: firstExtraction,
  keyboard: keyboardReview,
  widths: measureWidths,
  lists: measureLists,
  lighthouse: measureLighthouse,
};

const { values } = parseArgs({
  options: { only: { type: 'string', default: Object.keys(PARTS).join(',') }, runs: { type: 'string', default: '3' } },
});
const runs = wholeNumber(values.runs, '--runs');

// Limits are for people's programs: a benchmark asks as fast as it can.
process.env.USER_LIMIT_PER_MINUTE ??= '0';
const dataDirectory = await mkdtemp(join(tmpdir(), 'tripod-bench-'));
const service = await startLocalService({ dataDirectory, host: '127.0.0.1', port: 0, debug: false });
console.log(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`);
try {
  for (const name of values.only.split(',')) {
    const part = PARTS[name];
    if (part === undefined) throw new Error(`--only takes ${Object.keys(PARTS).join(', ')}; ${name} is none of them.`);
    for await (const { what, figure, bar, isMet } of part({ url: service.url, person: service.credentials, runs })) {
      if (!isMet) process.exitCode = 1;
      console.log(`${isMet ? '    ' : 'miss'} ${what.padEnd(62)} ${figure.padEnd(34)} bar: ${bar}`);
    }
  }
} finally {
  await service.stop();
  await rm(dataDirectory, { recursive: true, force: true });
}

async function* measureSizes(): AsyncGenerator<Figure> {
  const kb = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;
  const [first, ...routes] = loadSizes(await buildConsole());
  const largest = routes.toSorted((a, b) => b.bytes - a.bytes)[0]!;
  for (const { name, bytes, maxBytes } of [first!, largest])
    yield {
      what: name === first!.name ? 'First load, gzip' : `Largest later page, gzip (${name.split('/').at(-1)})`,
      figure: kb(bytes),
      bar: `at most ${kb(maxBytes)}`,
      isMet: bytes <= maxBytes,
    };
}
