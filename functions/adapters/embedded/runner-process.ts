import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { SandboxUnavailable } from '../../sandbox/domain/sandbox-pool.ts';

const RUNNER = fileURLToPath(new URL('../../../sandbox/main.ts', import.meta.url));

/** A runner on this machine. It ends with this process, however that ends: then its standard input closes. */
export interface RunnerProcess {
  readonly url: string;
  readonly token: string;
  /** True as long as it can be asked. */
  isAlive(): boolean;
  kill(): void;
}

interface Message {
  readonly ready?: string;
  readonly cannot?: string;
  readonly missing?: readonly { readonly name: string; readonly hint: string }[];
}

/** @throws SandboxUnavailable when no program can be confined on this machine; it says why. */
export async function startRunnerProcess(
  told: (missing: NonNullable<Message['missing']>) => void,
): Promise<RunnerProcess> {
  const token = randomBytes(32).toString('base64url');
  const child = spawn(process.execPath, [RUNNER], {
    // Nothing of what this process knows, which holds credentials.
    env: { PATH: process.env.PATH, RUNNER_TOKEN: token, RUNNER_ENDS_WITH_STDIN: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new SandboxUnavailable('The runner of this machine ended while it started.')));
    createInterface(child.stdout).on('line', (line) => {
      const { ready, cannot, missing } = JSON.parse(line) as Message;
      if (ready !== undefined) resolve(ready);
      if (cannot !== undefined) reject(new SandboxUnavailable(`Code execution is not possible here. ${cannot}`));
      if (missing !== undefined) told(missing);
    });
  });
  letGo(child);
  return {
    url,
    token,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    kill: () => void child.kill('SIGKILL'),
  };
}

/** It must not keep this process from ending. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref?: () => void })?.unref?.();
}
