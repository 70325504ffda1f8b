/**
 * Processor time of pages, from bytes to lights: `npm run bench page -- <picture or folder> ... [--file part-of-a-name] [--profile]
 * [--master file|shipped]`. With `--profile` it says where the time goes; sampling costs a little itself. The models run on one core.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { onnxModels } from '../functions/adapters/readers/onnx-models.ts';
import { OnnxTableNetwork } from '../functions/adapters/readers/onnx-table-network.ts';
import { chosenMaster } from './chosen-master.ts';
import { CORPUS_TODAY } from './corpus/master.ts';
import { type ProfiledPage, profiledPage } from './page/profiled-page.ts';

const PICTURE = /\.(?:jpe?g|png|webp|tiff?|pdf|gif|avif|heic)$/i;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      file: { type: 'string', default: '' },
      profile: { type: 'boolean', default: false },
      master: { type: 'string', default: 'shipped' },
    },
  });
  const files = positionals.flatMap(picturesOf).filter((file) => basename(file).includes(values.file));
  if (files.length === 0)
    throw new Error(
      'Usage: npm run bench page -- <picture or folder of pictures> ... [--profile]; no picture was named.',
    );
  const [models, network, master] = await Promise.all([
    onnxModels(undefined, { threads: 1 }),
    OnnxTableNetwork.load(undefined, { threads: 1 }),
    chosenMaster(values.master),
  ]);
  const parts = { ...models, network, master, today: CORPUS_TODAY };
  // The first page compiles what every later one runs.
  await profiledPage(readFileSync(files[0]!), parts, false).catch(() => undefined);
  const pages: ProfiledPage[] = [];
  for (const file of files) {
    try {
      const page = await profiledPage(readFileSync(file), parts, values.profile);
      pages.push(page);
      const { seconds, lines, documentKind } = page;
      console.log(`${basename(file).padEnd(42)}${seconds.toFixed(2).padStart(8)} s  ${lines} lines, ${documentKind}`);
      if (values.profile && files.length > 1) printSteps([page]);
    } catch (error) {
      console.log(`${basename(file).padEnd(42)}  failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const times = pages.map(({ seconds }) => seconds).sort((a, b) => a - b);
  if (times.length === 0) return;
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))]!.toFixed(2);
  console.log(`${pages.length} pages, processor seconds: p50 ${at(0.5)}, p95 ${at(0.95)}`);
  if (values.profile) printSteps(pages);
}

function picturesOf(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => PICTURE.test(name));
  return names.sort().map((name) => join(path, name));
}

function printSteps(pages: readonly ProfiledPage[]): void {
  const all = new Map<string, number>();
  for (const { steps } of pages)
    for (const [step, seconds] of steps) all.set(step, (all.get(step) ?? 0) + seconds / pages.length);
  const total = [...all.values()].reduce((sum, seconds) => sum + seconds, 0);
  for (const [step, seconds] of [...all].sort(([, a], [, b]) => b - a))
    console.log(
      `  ${step.padEnd(50)}${seconds.toFixed(3).padStart(8)} s ${((100 * seconds) / total).toFixed(1).padStart(5)} %`,
    );
}
