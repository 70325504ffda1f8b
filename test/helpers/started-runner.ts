import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export const RUNNER_TOKEN = 'the token of the runners';

export interface StartedRunner {
  readonly child: ChildProcess;
  readonly url: string;
  /** Its exit code, and the signal that ended it. */
  readonly exit: Promise<unknown[]>;
}

const started: ChildProcess[] = [];

/** Ends those that are still there, for the end of a test file. */
export function killRunners(): void {
  for (const child of started.splice(0)) child.kill('SIGKILL');
}

/** A runner with `RUNNER_TOKEN`; the answer is a text when it says that nothing can be run here. */
export async function startRunner(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<StartedRunner | string> {
  const [program = '', ...parameters] = command;
  const child = spawn(program, parameters, {
    env: { PATH: process.env.PATH, RUNNER_TOKEN, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  const exit = once(child, 'exit');
  const { value = '{}' } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  const { ready: url, cannot = 'It ended without a word.' } = JSON.parse(value) as { ready?: string; cannot?: string };
  return url === undefined ? cannot : { child, url, exit };
}
