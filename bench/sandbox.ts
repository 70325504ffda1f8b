/**
 * `npm run bench sandbox`: hello world by the bare interpreter, by a runner that starts one, by a runner where one waits, and
 * through POST /api/v1/execute, in turn and in one run; the same command bare and under the launcher; what many runs and
 * clients at the same time do; and what a pool costs. `-- --runs 500` for fewer runs.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { RUNNER_OPTIONS } from '../functions/adapters/runner/runner-process.ts';
import { DEFAULT_RESOURCES, type LanguageName } from '../functions/sandbox/domain/run.ts';
import { readCredentials } from '../local/credentials.ts';
import { wholeNumber } from './arguments.ts';

/** Of each kind; through the service 100 a minute are allowed. */
const ROUNDS = 20;
const LAUNCHES = 100;
/** The runner has filled its own caches by then. */
const FIRST_RUNS = 1_000;
const CLIENTS = 8;
const ROUNDS_OF_CLIENTS = 2;
/** Fargate, one arm64 processor and 2 GB, us-east-1. */
const TASK_USD_PER_HOUR = 0.0395;
const TASK_START_SECONDS = 35;
const { values } = parseArgs({ options: { runs: { type: 'string', default: '10000' } } });
const runs = wholeNumber(values.runs, '--runs');

const programs: readonly { language: LanguageName; file: string; code: string; bare: readonly string[] | null }[] = [
  { language: 'python', file: 'main.py', code: 'print("hello")', bare: ['/usr/bin/python3', '-s'] },
  { language: 'javascript', file: 'main.js', code: 'console.log("hello")', bare: [process.execPath] },
  { language: 'ruby', file: 'main.rb', code: 'puts "hello"', bare: ['/usr/bin/ruby'] },
  {
    language: 'go',
    file: 'main.go',
    code: 'package main\nimport "fmt"\nfunc main() { fmt.Println("hello") }',
    bare: null,
  },
];

const directory = await mkdtemp(join(tmpdir(), 'tripod-bench-'));
const token = randomBytes(16).toString('hex');
const started: ChildProcess[] = [];
const said = new Map<ChildProcess, string[]>();
try {
  const runner = start([...RUNNER_OPTIONS, 'sandbox/main.ts'], { RUNNER_TOKEN: token, RUNNER_MAX_USES: '0' });
  const runnerUrl = JSON.parse(await line(runner, /"ready"/)).ready as string;
  await line(runner, /"missing"/);
  const service = start(['bin/local.js'], { PORT: '0', TRIPOD_DATA_DIR: directory, USER_LIMIT_PER_MINUTE: '0' });
  const url = (await line(service, /^Tripod is ready: /)).split(' ').at(-1) ?? '';
  const apiKey = (await readCredentials(directory))?.apiKey ?? '';

  const byRunner = (language: string, code: string, environment = {}) => {
    const body = { language, code, stdin: '', environment, timeoutSeconds: 30, resources: DEFAULT_RESOURCES };
    return hello(`${runnerUrl}/runs`, { authorization: `Bearer ${token}`, 'x-workspace-id': 'ws_bench' }, body);
  };
  // An interpreter that waits has no environment of a user's.
  const byColdRunner = (language: string, code: string) => byRunner(language, code, { COLD: '1' });
  const byService = (language: string, code: string) =>
    hello(`${url}/api/v1/execute`, { 'x-api-key': apiKey, 'content-type': 'application/json' }, { language, code });

  console.log(`hello world, ms p50 of ${ROUNDS}, in turn; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`);
  for (const { language, file, code, bare } of programs) {
    const path = join(directory, file);
    await writeFile(path, code);
    const [command, ...options] = bare ?? [];
    const times = { bare: [] as number[], cold: [] as number[], runner: [] as number[], http: [] as number[] };
    // Each kind once before: runners start on first use.
    for (let round = -1; round < ROUNDS; round += 1) {
      const bareMs = command === undefined ? 0 : await timed(() => ran(command, [...options, path]));
      const coldMs = await timed(() => byColdRunner(language, code));
      const runnerMs = await timed(() => byRunner(language, code));
      const httpMs = await timed(() => byService(language, code));
      if (round < 0) continue;
      times.bare.push(bareMs);
      times.cold.push(coldMs);
      times.runner.push(runnerMs);
      times.http.push(httpMs);
    }
    const [bareMs, httpMs] = [p50(times.bare), p50(times.http)];
    const ratio = bareMs > 0 ? `, ${(httpMs / bareMs).toFixed(2)} × bare` : '';
    const floor = bareMs > 0 ? `bare ${bareMs.toFixed(1)}, ` : '';
    const byRunners = `runner cold ${p50(times.cold).toFixed(1)}, waiting ${p50(times.runner).toFixed(1)}`;
    console.log(`${language.padEnd(12)} ${floor}${byRunners}, http ${httpMs.toFixed(1)}${ratio}`);
  }

  const launcher = `sandbox/launcher/launch-linux-${process.arch}`;
  const uid = process.getuid?.() === 0 ? '49999' : '-';
  const confined = [
    uid,
    '1',
    '1000000000',
    '1000000000',
    '100000000',
    '100000',
    '10000',
    '1',
    '0',
    '-',
    '-',
    '/',
    '/usr',
    '/bin',
    '/lib',
    '/lib64',
    '--',
    '--',
    '/bin/true',
  ];
  const spawned: number[] = [];
  const launched: number[] = [];
  for (let round = 0; round < LAUNCHES; round += 1) {
    spawned.push(await timed(() => ran('/bin/true', [])));
    launched.push(await timed(() => launchedBy(launcher, confined)));
  }
  console.log(
    `\n/bin/true, ms p50 of ${LAUNCHES}: spawned ${p50(spawned).toFixed(2)}, launched ${p50(launched).toFixed(2)}`,
  );

  const heldAfter: string[] = [];
  const descriptors = () => readdirSync(`/proc/${runner.pid}/fd`).length;
  const allMs = await timed(async () => {
    for (let run = 1; run <= runs; run += 1) {
      await byRunner('python', 'print("hello")');
      if (run === FIRST_RUNS || run === runs)
        heldAfter.push(`${runnerMemoryMb(runner)} MB and ${descriptors()} descriptors after ${run}`);
    }
  });
  console.log(`${runs} runs of python, one after another: ${((runs * 1000) / allMs).toFixed(1)} a second`);
  console.log(`the runner holds ${heldAfter.join(', ')}`);

  const answers: number[] = [];
  const clientsMs = await timed(() =>
    Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let round = 0; round < ROUNDS_OF_CLIENTS; round += 1)
          answers.push(await timed(() => byService('python', 'print("hello")')));
      }),
    ),
  );
  const rate = ((answers.length * 1000) / clientsMs).toFixed(1);
  console.log(`${CLIENTS} clients at once through HTTP, python: ${rate} a second, p50 ${p50(answers).toFixed(0)} ms`);

  const usd = (tasks: number) => `${(tasks * TASK_USD_PER_HOUR).toFixed(2)} USD/h`;
  const beingReplaced = Math.ceil((100 / 60) * TASK_START_SECONDS);
  console.log(
    `\nOn paper: ${CLIENTS} tasks that are used again ${usd(CLIENTS)}; used once each, at 100 runs a minute,`,
  );
  console.log(`${beingReplaced} more are being replaced at any time: ${usd(CLIENTS + beingReplaced)}`);
} finally {
  await Promise.all(started.map(end));
  await rm(directory, { recursive: true, force: true });
}

function start(program: readonly string[], environment: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, program, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  const lines: string[] = [];
  said.set(child, lines);
  createInterface(child.stdout).on('line', (text) => lines.push(text));
  return child;
}

/** The first line that is wanted, said already or still to come. */
async function line(child: ChildProcess, wanted: RegExp): Promise<string> {
  for (;;) {
    const found = said.get(child)?.find((text) => wanted.test(text));
    if (found !== undefined) return found;
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode} before it said ${wanted}.`);
    await sleep(20);
  }
}

async function hello(url: string, headers: Record<string, string>, body: object): Promise<void> {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if ((JSON.parse(text) as { stdout?: string }).stdout !== 'hello\n') throw new Error(`${response.status} ${text}`);
}

/** The launcher waits until its caller has the pipes that it offers. */
async function launchedBy(launcher: string, parameters: readonly string[]): Promise<void> {
  const child = spawn(launcher, parameters, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const report = child.stdio[3] as Duplex;
  report.once('data', () => report.write('.'));
  await once(child, 'exit');
}

async function ran(command: string, parameters: readonly string[]): Promise<void> {
  const child = spawn(command, parameters, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  let report = '';
  child.stdio[3]?.on('data', (chunk: Buffer) => {
    report += chunk.toString();
  });
  const [code] = await once(child, 'close');
  // Of the launcher; others say nothing there.
  if (code !== 0 || !/^(R 0 .*\n)?$/.test(report)) throw new Error(`${command} ended with ${code}: ${report}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function p50(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function runnerMemoryMb({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}
