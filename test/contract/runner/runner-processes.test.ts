import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RunnerHttp } from '../../../functions/adapters/runner/runner-http.ts';
import { RUNNER_TOKEN } from '../../../functions/adapters/runner/runner-process.ts';
import { RunnerProcesses } from '../../../functions/adapters/runner/runner-processes.ts';
import { systemClock } from '../../../functions/adapters/shared/system-ports.ts';
import { Dispatcher } from '../../../functions/sandbox/domain/dispatcher.ts';
import { DEFAULT_RESOURCES, type Run } from '../../../functions/sandbox/domain/run.ts';
import { SandboxUnavailable } from '../../../functions/sandbox/domain/sandbox-pool.ts';
import type { Clock } from '../../../functions/shared/ports/clock.ts';

const javascript = (code: string, timeoutSeconds = 60): Run => ({
  language: 'javascript',
  code,
  stdin: '',
  environment: {},
  timeoutSeconds,
  resources: DEFAULT_RESOURCES,
});
const hello = javascript('console.log("hello")');
const HELLO = { kind: 'finished', stdout: 'hello\n', exitCode: 0 };

let cannot = '';
beforeAll(async () => {
  const { registry } = pool(1);
  await registry.languages().catch((error: Error) => {
    cannot = error.message;
  });
});

/** A dispatcher of its own over real runners of this machine. */
function pool(maxSize: number, onTaken: () => void = () => undefined, clock: Clock = systemClock) {
  const registry = new RunnerProcesses(maxSize, () => undefined);
  const client = new RunnerHttp({ token: async () => RUNNER_TOKEN, patienceMs: 60_000 });
  const asked: string[] = [];
  const dispatcher = new Dispatcher(
    {
      registry,
      client: {
        endSession: (...session) => client.endSession(...session),
        run(runner, run, caller, taken) {
          asked.push(runner.id);
          return client.run(runner, run, caller, () => {
            taken();
            onTaken();
          });
        },
      },
      clock,
      random: Math.random,
      onNoRunner: async () => undefined,
      onRegistryError: (error) => {
        throw error;
      },
    },
    { maxPerWorkspace: maxSize, maxInBackground: maxSize, reserve: 0, maxKept: 2 },
  );
  running.push(registry);
  return {
    registry,
    asked,
    run: (run: Run, workspaceId = 'a', signal?: AbortSignal) =>
      dispatcher.run(run, { workspaceId, ...(signal && { signal }) }),
  };
}

const running: RunnerProcesses[] = [];
afterEach(() => {
  for (const registry of running.splice(0)) registry.stop();
});

describe.runIf(process.platform === 'linux')('runners of this machine', () => {
  it('run one program after another, of one workspace', async ({ skip }) => {
    if (cannot !== '') skip(cannot);
    const { run, asked, registry } = pool(1);
    for (let i = 0; i < 3; i += 1) expect(await run(hello)).toMatchObject(HELLO);
    expect(new Set(asked).size).toBe(1);
    expect((await registry.languages()).map(({ name }) => name)).toContain('javascript');
  });

  it('never serve two workspaces: another one gets another runner', async ({ skip }) => {
    if (cannot !== '') skip(cannot);
    const { run, asked } = pool(1);
    for (const workspaceId of ['a', 'b', 'a']) expect(await run(hello, workspaceId)).toMatchObject(HELLO);
    expect(new Set(asked).size).toBe(3);
  });

  it('are not used again after a program that ran out of time, was killed or was cancelled', async ({ skip }) => {
    if (cannot !== '') skip(cannot);
    const stop = new AbortController();
    let isDoomed = false;
    const { run, asked } = pool(1, () => isDoomed && stop.abort(new Error('cancelled')));
    expect(await run(javascript('for (;;);', 1))).toMatchObject({ kind: 'timed_out' });
    expect(await run(javascript('process.kill(process.pid, "SIGKILL")'))).toMatchObject({ exitCode: 137 });
    isDoomed = true;
    await expect(run(javascript('for (;;);'), 'a', stop.signal)).rejects.toThrow('aborted');
    isDoomed = false;
    expect(await run(hello)).toMatchObject(HELLO);
    expect(new Set(asked).size).toBe(4);
  });

  it('work at the same time, and a program waits for one', async ({ skip }) => {
    if (cannot !== '') skip(cannot);
    // No time passes: a busy machine may take longer to start the second runner than a program waits.
    const { run } = pool(2, undefined, { now: () => 0 });
    await run(hello);
    const all = await Promise.all(Array.from({ length: 4 }, () => run(hello)));
    for (const outcome of all) expect(outcome).toMatchObject(HELLO);
  });

  it('are refused to a program when all are busy', async ({ skip }) => {
    if (cannot !== '') skip(cannot);
    const { run } = pool(1);
    const stop = new AbortController();
    const long = run(javascript('console.log(1); setTimeout(() => {}, 1e6)'), 'a', stop.signal).catch(() => 'ended');
    await run(hello, 'b').catch(() => undefined);
    await expect(run(hello)).rejects.toThrow(SandboxUnavailable);
    stop.abort();
    expect(await long).toBe('ended');
  });
});
