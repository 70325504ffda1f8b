import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { routes } from '../functions/routes.ts';
import { handlerModule } from '../functions/shared/handler-module.ts';
import { buckets, queues, tables } from '../functions/shared/resources.ts';
import { workers } from '../functions/workers.ts';
import { bundleFunctions } from '../lib/packaging/bundle-functions.ts';
import { functionEntries } from '../lib/packaging/function-entries.ts';
import { repository } from '../lib/packaging/paths.ts';
import { bytesByPackage, bytesOf, staticImports } from '../lib/packaging/static-imports.ts';

/**
 * `npm run bench cold`: the code size and import time of each function's cold start, workers included, compared with a bare handler that
 * only makes a DynamoDB client, from the same build in the same run. A fresh process for every figure; the functions take turns, so that
 * other load on the machine affects all alike.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '21' } } });
const rounds = Number(values.rounds);
/** The slowest a function may be, in imports of the bare handler. */
const MAX_RATIO = 1.7;
const BARE = 'bare handler';
/** Of requests, of queues and of schedules. */
const functions = [...routes, ...workers];

interface ImportCost {
  readonly wallMs: number;
  /** Steadier than the wall's time on a machine that does other things as well. */
  readonly cpuMs: number;
}

const IMPORT_AND_PRINT_COST = `
  // As Lambda has it there for handlers that stream.
  globalThis.awslambda = { streamifyResponse: (handler) => handler };
  const start = performance.now();
  const cpu = process.cpuUsage();
  await import(process.argv[1]);
  const { user, system } = process.cpuUsage(cpu);
  process.stdout.write(JSON.stringify({ wallMs: performance.now() - start, cpuMs: (user + system) / 1000 }));
  process.exit();`;

/** Handlers and workers read these on import; nothing is reached under the names. */
const settings = {
  AWS_REGION: 'ap-northeast-2',
  READER: 'textract',
  DRUG_MASTER: 's3://bench/drug-master.tsv.gz',
  MAIL_FROM: 'bench@example.com',
  RUNNERS_CLUSTER: 'bench',
  RUNNERS_SERVICE: 'bench',
  RUNNERS_MIN_IDLE: '1',
  RUNNERS_MAX_SIZE: '1',
  ...Object.fromEntries(
    [...Object.values(tables), ...Object.values(buckets)].map(({ environment }) => [environment, 'bench']),
  ),
  ...Object.fromEntries(Object.values(queues).map(({ environment }) => [environment, 'https://sqs.invalid/bench'])),
};

const outdir = await mkdtemp(join(tmpdir(), 'tripod-cold-'));
try {
  await bench();
} finally {
  await rm(outdir, { recursive: true });
}

async function bench(): Promise<void> {
  const { shared, assets } = await bundleFunctions({
    outdir,
    entries: { bare: 'bench/cold/bare-handler.ts', ...functionEntries(functions) },
  });
  const fileOf = (entry: string) => join(outdir, entry, 'index.mjs');
  const subjects = [
    { name: BARE, entry: 'bare' },
    ...functions.map((entry) => ({ name: entry.id, entry: handlerModule(entry) })),
  ];

  const costs = new Map(subjects.map(({ name }) => [name, [] as ImportCost[]]));
  for (let round = 0; round < rounds; round++)
    for (const { name, entry } of subjects) costs.get(name)!.push(await importCost(fileOf(entry)));

  const medianOf = (name: string, kind: keyof ImportCost) => median(costs.get(name)!.map((cost) => cost[kind]));
  console.log(
    `Cold import, median of ${rounds} fresh processes; node ${process.version} ${process.platform}-${process.arch}\n`,
  );
  console.log(row('function', 'KB', 'ms', '× bare', 'CPU ms', '× bare'));
  for (const { name, entry } of subjects) {
    const wallMs = medianOf(name, 'wallMs');
    const cpuMs = medianOf(name, 'cpuMs');
    const ratio = wallMs / medianOf(BARE, 'wallMs');
    const figures = [
      (bytesOf(assets[entry]!, staticImports(assets[entry]!, 'index.mjs')) / 1024).toFixed(0),
      wallMs.toFixed(1),
      ratio.toFixed(2),
      cpuMs.toFixed(1),
      (cpuMs / medianOf(BARE, 'cpuMs')).toFixed(2),
    ];
    console.log(row(name, ...figures) + (ratio > MAX_RATIO ? `  over ${MAX_RATIO}` : ''));
  }
  console.log('\nHeaviest parts of each, in KB:');
  for (const { name, entry } of subjects) {
    const compiled = relative(repository, join(outdir, 'shared', `${entry}.mjs`));
    const heaviest = bytesByPackage(shared, staticImports(shared, compiled)).slice(0, 6);
    console.log(
      `${name.padEnd(28)} ${heaviest.map(([part, bytes]) => `${part} ${(bytes / 1024).toFixed(0)}`).join(', ')}`,
    );
  }
}

async function importCost(file: string): Promise<ImportCost> {
  const run = promisify(execFile);
  const { stdout } = await run(
    process.execPath,
    ['--input-type=module', '-e', IMPORT_AND_PRINT_COST, pathToFileURL(file).href],
    {
      cwd: outdir,
      env: settings,
    },
  );
  return JSON.parse(stdout);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function row(name: string, ...figures: readonly string[]): string {
  return name.padEnd(28) + figures.map((figure) => figure.padStart(9)).join('');
}
