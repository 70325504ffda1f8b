import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { routes } from '../functions/routes.ts';
import { buckets, tables } from '../functions/shared/resources.ts';
import { bundleFunctions } from '../lib/packaging/bundle-functions.ts';
import { functionEntries } from '../lib/packaging/function-entries.ts';
import { bytesByPackage, bytesOf, staticImports } from './cold/static-imports.ts';

/**
 * `npm run bench:cold`: how much code each function's cold start reads and how long its import takes, beside a bare
 * handler that only makes a DynamoDB client, bundled in the same build and timed in the same run. A fresh process for
 * every figure, the functions in turn, so that what else the machine does hits all alike.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '21' } } });
const rounds = Number(values.rounds);
/** The slowest a function may be, in imports of the bare handler. */
const MAX_RATIO = 2.2;
const BARE = 'bare handler';

const IMPORT_AND_PRINT_MS = `
  const start = performance.now();
  await import(process.argv[1]);
  process.stdout.write(String(performance.now() - start));
  process.exit();`;

/** Handlers read these on import; nothing is reached under the names. */
const settings = {
  AWS_REGION: 'ap-northeast-2',
  READER: 'textract',
  DRUG_MASTER: 's3://bench/drug-master.tsv.gz',
  ...Object.fromEntries(
    [...Object.values(tables), ...Object.values(buckets)].map(({ environment }) => [environment, 'bench']),
  ),
};

const outdir = await mkdtemp(join(tmpdir(), 'tripod-cold-'));
try {
  await bench();
} finally {
  await rm(outdir, { recursive: true });
}

async function bench(): Promise<void> {
  const metafile = await bundleFunctions({
    outdir,
    entries: { bare: 'bench/cold/bare-handler.ts', ...functionEntries(routes) },
  });
  const fileOf = (entry: string) => join(outdir, `${entry}.mjs`);
  const subjects = [
    { name: BARE, file: fileOf('bare') },
    ...routes.map(({ id, handler }) => ({ name: id, file: fileOf(handler) })),
  ];

  const timesMs = new Map(subjects.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++)
    for (const { name, file } of subjects) timesMs.get(name)!.push(await importMs(file));

  const bareMs = median(timesMs.get(BARE)!);
  console.log(
    `Cold import, median of ${rounds} fresh processes; node ${process.version} ${process.platform}-${process.arch}\n`,
  );
  console.log(row('function', 'KB', 'ms', '× bare'));
  for (const { name, file } of subjects) {
    const ms = median(timesMs.get(name)!);
    const kilobytes = bytesOf(metafile, staticImports(metafile, file)) / 1024;
    const verdict = ms / bareMs > MAX_RATIO ? `  over ${MAX_RATIO}` : '';
    console.log(row(name, kilobytes.toFixed(0), ms.toFixed(1), (ms / bareMs).toFixed(2)) + verdict);
  }
  console.log('\nHeaviest parts of each, in KB:');
  for (const { name, file } of subjects) {
    const heaviest = bytesByPackage(metafile, staticImports(metafile, file)).slice(0, 6);
    console.log(
      `${name.padEnd(28)} ${heaviest.map(([part, bytes]) => `${part} ${(bytes / 1024).toFixed(0)}`).join(', ')}`,
    );
  }
}

async function importMs(file: string): Promise<number> {
  const run = promisify(execFile);
  const { stdout } = await run(
    process.execPath,
    ['--input-type=module', '-e', IMPORT_AND_PRINT_MS, pathToFileURL(file).href],
    {
      cwd: outdir,
      env: settings,
    },
  );
  return Number(stdout);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function row(name: string, ...figures: readonly string[]): string {
  return name.padEnd(28) + figures.map((figure) => figure.padStart(9)).join('');
}
