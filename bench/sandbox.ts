/**
 * `npm run bench sandbox`: hello world by the bare interpreter, by a runner that starts one, by a runner where one waits, and
 * through POST /api/v1/execute, in turn and in one run; the same command bare and under the launcher; what many runs and
 * clients at the same time do; kept sessions, a picture with pandas and matplotlib, 20 calls at a time by one key; and what a pool costs. `-- --runs 500` for fewer runs.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runnerHourUsd } from '../bin/costs/beyond.ts';
import { RUNNER_OPTIONS } from '../functions/adapters/runner/runner-process.ts';
import { DEFAULT_RESOURCES, type LanguageName } from '../functions/sandbox/domain/run.ts';
import { readCredentials } from '../local/credentials.ts';
import { defaultPackagesFolder } from '../sandbox/runner/packages.ts';
import { wholeNumber } from './arguments.ts';

/** Of each kind; through the service 100 a minute are allowed. */
const ROUNDS = 20;
const LAUNCHES = 100;
/** The runner has filled its own caches by then. */
const FIRST_RUNS = 1_000;
const CLIENTS = 8;
const FIGURES = 7;
/** With the priority of a program in the sandbox, which is below that of the service (sandbox/launcher/program.h). */
const AS_PATIENT = 'echo 5 >/proc/self/autogroup; exec nice -n 10 "$@"';
const CALLS_AT_ONCE = 20;
const CALLS_AT_ONCE_IN_ALL = 200;
const ROUNDS_OF_CLIENTS = 2;
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
  const byService = (language: string, code: string, key = apiKey) =>
    hello(`${url}/api/v1/execute`, { 'x-api-key': key, 'content-type': 'application/json' }, { language, code });

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

  await keptSession(url, apiKey);
  await figure(url, apiKey);

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

  // The first key has used up its executions of this minute.
  const clientsKey = await anotherKey(url, apiKey);
  const answers: number[] = [];
  const clientsMs = await timed(() =>
    Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let round = 0; round < ROUNDS_OF_CLIENTS; round += 1)
          answers.push(await timed(() => byService('python', 'print("hello")', clientsKey)));
      }),
    ),
  );
  const rate = ((answers.length * 1000) / clientsMs).toFixed(1);
  console.log(`${CLIENTS} clients at once through HTTP, python: ${rate} a second, p50 ${p50(answers).toFixed(0)} ms`);

  await manyAtOnce(url, apiKey);

  const usd = (tasks: number) => `${(tasks * runnerHourUsd('us-east-1')).toFixed(2)} USD/h`;
  const beingReplaced = Math.ceil((100 / 60) * TASK_START_SECONDS);
  console.log(
    `\nOn paper: ${CLIENTS} tasks that are used again ${usd(CLIENTS)}; used once each, at 100 runs a minute,`,
  );
  console.log(`${beingReplaced} more are being replaced at any time: ${usd(CLIENTS + beingReplaced)}`);
} finally {
  await Promise.all(started.map(end));
  await rm(directory, { recursive: true, force: true });
}

/** Later calls of a kept session through HTTP, which is a recorded one. */
async function keptSession(url: string, apiKey: string): Promise<void> {
  for (const language of ['python', 'javascript']) {
    const body = { language, code: language === 'python' ? 'print("hello")' : 'console.log("hello")' };
    const inSession = { ...body, session_id: `bench-${language}`, session: { keep: true } };
    const times: number[] = [];
    const programMs: number[] = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      const call = async () => {
        const { stdout, execution_time } = await executed(url, apiKey, inSession);
        if (stdout !== 'hello\n') throw new Error(`The session said ${stdout}`);
        if (round >= 0) programMs.push(execution_time * 1000);
      };
      const callMs = await timed(call);
      if (round >= 0) times.push(callMs);
    }
    const shown = `p50 ${p50(times).toFixed(1)} ms, at the least ${Math.min(...times).toFixed(1)}`;
    console.log(
      `kept session, ${language}, later calls through HTTP: ${shown}; the program itself ${p50(programMs).toFixed(1)}`,
    );
    await fetch(`${url}/api/v1/sessions/bench-${language}`, { method: 'DELETE', headers: { 'x-api-key': apiKey } });
  }
}

/** A picture of 1,000 points by pandas and matplotlib, bare and through HTTP in turn; both are bound to be as patient as programs are. */
async function figure(url: string, apiKey: string): Promise<void> {
  const packages = join(defaultPackagesFolder(process.getuid?.()), 'python');
  if (!existsSync(packages))
    return console.log('pandas and matplotlib: not tried, npm run sandbox:packages installs them');
  const code = (target: string) =>
    `import pandas, matplotlib.pyplot as plt\npandas.Series(range(1000)).plot()\n${target}`;
  const path = join(directory, 'figure.py');
  await writeFile(path, code(`plt.savefig(${JSON.stringify(join(directory, 'figure.png'))})`));
  const environment = [
    `PYTHONPATH=${packages}`,
    `MPLCONFIGDIR=${join(packages, 'tripod-fonts')}`,
    'MPLBACKEND=Agg',
    'OPENBLAS_NUM_THREADS=1',
  ];
  const bare: number[] = [];
  const http: number[] = [];
  for (let round = -1; round < FIGURES; round += 1) {
    const bareMs = await timed(() =>
      ran('/usr/bin/setsid', [
        '-w',
        '/bin/sh',
        '-c',
        AS_PATIENT,
        'sh',
        '/usr/bin/env',
        ...environment,
        '/usr/bin/python3',
        '-s',
        path,
      ]),
    );
    const httpMs = await timed(async () => {
      const { files = [], stderr } = await executed(url, apiKey, {
        language: 'python',
        code: code('plt.show()'),
        files: [],
      });
      if (files.length !== 1) throw new Error(stderr);
    });
    if (round < 0) continue;
    bare.push(bareMs);
    http.push(httpMs);
  }
  const ratio = (p50(http) / p50(bare)).toFixed(2);
  console.log(
    `pandas and matplotlib, a picture: bare ${p50(bare).toFixed(0)} ms, http ${p50(http).toFixed(0)} ms, ${ratio} × bare`,
  );
}

/** 20 calls by one key at any time, 200 in all: as many as a key has in two minutes. */
async function manyAtOnce(url: string, apiKey: string): Promise<void> {
  const statuses = new Map<number, number>();
  let left = CALLS_AT_ONCE_IN_ALL;
  const caller = async () => {
    while (left > 0) {
      left -= 1;
      const response = await callExecute(url, apiKey, { language: 'python', code: 'print("hello")' });
      const { status } = response;
      await response.arrayBuffer();
      if (status === 429) {
        // The rate of the key, not a refusal of the pool.
        left += 1;
        await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000);
      } else statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const seconds = (await timed(() => Promise.all(Array.from({ length: CALLS_AT_ONCE }, caller)))) / 1000;
  const found = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  console.log(
    `${CALLS_AT_ONCE} calls at a time by one key, ${CALLS_AT_ONCE_IN_ALL} in all: ${found}, in ${seconds.toFixed(0)} s`,
  );
}

async function anotherKey(url: string, apiKey: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/api-keys`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'clients' }),
  });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: { key: string } }).data.key;
}

interface Executed {
  readonly stdout: string;
  readonly stderr: string;
  readonly execution_time: number;
  readonly files?: readonly object[];
}

async function executed(url: string, apiKey: string, body: object): Promise<Executed> {
  const response = await callExecute(url, apiKey, body);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Executed;
}

function callExecute(url: string, apiKey: string, body: object): Promise<Response> {
  return fetch(`${url}/api/v1/execute`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
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
