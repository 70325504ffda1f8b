import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type AvailableLanguage, SandboxUnavailable } from '../../sandbox/domain/sandbox-pool.ts';

/** Node lets what each run leaves behind grow to 100 MB before it looks; a runner shares its machine with what it runs. */
export const RUNNER_OPTIONS = ['--max-semi-space-size=1'];

const RUNNER = fileURLToPath(new URL('../../../sandbox/main.ts', import.meta.url));

/** Shared secret of this process and its runners. */
export const RUNNER_TOKEN = randomBytes(32).toString('base64url');

/** On one machine all is one workspace's, mostly: a new runner costs more than it is worth so often. */
const MAX_USES = 500;
/** After which a runner that was asked to end is ended. */
const PATIENCE_MS = 10_000;

/** A runner on this machine. It ends with this process, however that ends: then its standard input closes. */
export interface RunnerProcess {
  readonly url: string;
  /** Languages found so far. */
  languages(): readonly AvailableLanguage[];
  /** Lets the program under way come to its end. */
  end(): void;
}

export interface RunnerProcessEvents {
  /** Called with the languages that are not installed here and how to install each, and with those that are. */
  readonly missing: (
    languages: readonly { readonly name: string; readonly hint: string }[],
    installed: readonly AvailableLanguage[],
  ) => void;
  readonly ended: () => void;
}

interface Message {
  readonly ready?: string;
  readonly cannot?: string;
  readonly languages?: readonly AvailableLanguage[];
  readonly missing?: Parameters<RunnerProcessEvents['missing']>[0];
}

/** @throws SandboxUnavailable when no program can be confined on this machine; it says why. */
export async function startRunnerProcess(events: RunnerProcessEvents): Promise<RunnerProcess> {
  const { PATH, NODE_COMPILE_CACHE, RUNNER_PACKAGES } = process.env;
  const child = spawn(process.execPath, [...RUNNER_OPTIONS, RUNNER], {
    // Nothing of what this process knows, which holds credentials.
    env: {
      PATH,
      // Half of its start is compiling. Programs neither see the variable nor may write there.
      ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
      ...(RUNNER_PACKAGES !== undefined && { RUNNER_PACKAGES }),
      RUNNER_TOKEN,
      RUNNER_MAX_USES: String(MAX_USES),
      RUNNER_ENDS_WITH_STDIN: '1',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let found: readonly AvailableLanguage[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => {
      events.ended();
      reject(new SandboxUnavailable('The runner of this machine ended while it started.'));
    });
    createInterface(child.stdout).on('line', (line) => {
      const { ready, cannot, languages, missing } = JSON.parse(line) as Message;
      if (languages !== undefined) found = languages;
      if (ready !== undefined) resolve(ready);
      if (cannot !== undefined) reject(new SandboxUnavailable(`Code execution is not possible here. ${cannot}`));
      if (missing !== undefined) events.missing(missing, found);
    });
  });
  letGo(child);
  return { url, languages: () => found, end: () => end(child) };
}

/** It must not keep this process from ending. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref?: () => void })?.unref?.();
}

function end(child: ChildProcess): void {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS).unref();
}
