import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_RESOURCES, type LanguageName, type Run, type RunOutcome } from '../../functions/sandbox/domain/run.ts';

const SHARED_BY_RUNS: ReadonlySet<string> = new Set(['load-typescript.cjs', 'node_modules']);
const TOKEN = 'a token for tests';

export interface RunnerProcess {
  readonly pid: number;
  readonly languages: ReadonlySet<LanguageName>;
  readonly confinement: ReportedConfinement;
  /** Directories of runs that are there. */
  runDirectories(): string[];
  /** Whether a user is one that it gives to runs. */
  isOfARun(uid: number): boolean;
  /** Fails on anything but an outcome. */
  run(run: Partial<Run> & Pick<Run, 'language' | 'code'>): Promise<RunOutcome>;
  request(
    method: string,
    path: string,
    options?: { body?: unknown; token?: string; signal?: AbortSignal; headers?: Readonly<Record<string, string>> },
  ): Promise<Response>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** By what a runner says that it confines. */
export interface ReportedConfinement {
  readonly landlock: boolean;
  readonly ownFiles: boolean;
  readonly ownUsers: boolean;
  readonly memoryGroups: boolean;
}

export interface RunnerProcessOptions {
  /** Words before the runner's own command, such as those that take capabilities away. */
  readonly prefix?: readonly string[];
  readonly uid?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** On a laptop an interpreter may be missing; where the project is checked as a whole, all of them must be there. */
export function notInstalled(language: LanguageName, skip: (note: string) => never): never {
  if (process.env.CI) throw new Error(`${language} is not installed, and nothing else tests it here.`);
  return skip(`${language} is not installed`);
}

/** Languages whose interpreters are started before there is a program, once they have been used. */
export const PRESTARTED: ReadonlySet<LanguageName> = new Set(['bash', 'javascript', 'python', 'ruby', 'typescript']);

/** Has an interpreter pre-started for every one of these languages. */
export async function prewarmAll(runner: RunnerProcess): Promise<void> {
  for (const language of PRESTARTED) if (runner.languages.has(language)) await runner.run({ language, code: ' ' });
}

/** The runner as the service starts it; the answer is a text when it says that nothing can be run here. */
export async function startRunner(options: RunnerProcessOptions = {}): Promise<RunnerProcess | string> {
  const [program = '', ...parameters] = [...(options.prefix ?? []), process.execPath, 'sandbox/main.ts'];
  // As root, below directories that no other user can write to.
  const directory = mkdtempSync(join(process.getuid?.() === 0 ? '/var/lib' : tmpdir(), 'tripod-runner-'));
  chmodSync(directory, 0o711);
  if (options.uid !== undefined) chownSync(directory, options.uid, options.uid);
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(program, parameters, {
    env: {
      PATH,
      ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
      RUNNER_TOKEN: TOKEN,
      RUNNER_DIRECTORY: directory,
      RUNNER_MAX_USES: '0',
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  });
  const told = createInterface(child.stdout)[Symbol.asyncIterator]();
  const first = await nextMessage(told);
  if (first.ready === undefined) return first.cannot ?? 'it ended without a word';
  const url = first.ready;
  // Go's standard library may have to be compiled first.
  await nextMessage(told);

  const [own = ''] = readdirSync(directory);
  const [, runnerUid, runnerNumber] = /^tripod-sandbox-(\d+)-(\d+)-/.exec(own) ?? [];
  const request: RunnerProcess['request'] = (method, path, { body, token = TOKEN, signal, headers } = {}) =>
    fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'x-workspace-id': 'ws_test', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  const { languages } = (await (await request('GET', '/languages')).json()) as { languages: { name: LanguageName }[] };
  return {
    pid: child.pid ?? 0,
    languages: new Set(languages.map(({ name }) => name)),
    confinement: first.confinement!,
    runDirectories: () => readdirSync(join(directory, own)).filter((name) => !SHARED_BY_RUNS.has(name)),
    // Of one that is not root, they are its own.
    isOfARun: (uid) => runnerUid === '0' && Math.floor(uid / 100) === 400 + Number(runnerNumber),
    request,
    async run(run) {
      const body = {
        stdin: '',
        environment: {},
        timeoutSeconds: 30,
        ...run,
        resources: { ...DEFAULT_RESOURCES, ...run.resources },
      };
      for (;;) {
        const response = await request('POST', '/runs', { body });
        // The run before may still be cleaned up when its caller has gone.
        if (response.status === 409) await sleep(20);
        else if (response.status === 200) return (await response.json()) as RunOutcome;
        else throw new Error(`${response.status} ${await response.text()}`);
      }
    },
    async stop(signal = 'SIGTERM') {
      await end(child, signal);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

interface Message {
  readonly ready?: string;
  readonly cannot?: string;
  readonly confinement?: ReportedConfinement;
}

async function nextMessage(lines: AsyncIterator<string>): Promise<Message> {
  const { value, done } = await lines.next();
  return done ? {} : (JSON.parse(value) as Message);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}
