import { afterAll, beforeAll, expect, it } from 'vitest';
import { DynamoRunners } from '../../../functions/adapters/runner/dynamo-runners.ts';
import { RunnerHttp } from '../../../functions/adapters/runner/runner-http.ts';
import { systemClock } from '../../../functions/adapters/shared/system-ports.ts';
import { Dispatcher } from '../../../functions/sandbox/domain/dispatcher.ts';
import { registerRunner } from '../../../functions/sandbox/domain/register-runner.ts';
import { DEFAULT_RESOURCES, type Run } from '../../../functions/sandbox/domain/run.ts';
import { SandboxUnavailable } from '../../../functions/sandbox/domain/sandbox-pool.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { killRunners, RUNNER_TOKEN, startRunner } from '../../helpers/started-runner.ts';

const bash = (code: string, timeoutSeconds = 30): Run => ({
  language: 'bash',
  code,
  stdin: '',
  environment: {},
  timeoutSeconds,
  resources: DEFAULT_RESOURCES,
});
const hello = bash('echo hello');
const HELLO = { kind: 'finished', stdout: 'hello\n', exitCode: 0 };

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(async () => {
  killRunners();
  await dynamo.stop();
});

/** A runner as a task starts it, with ECS's event about it. */
async function startTask(id: string, skip: (note: string) => never) {
  const runner = await startRunner([process.execPath, 'sandbox/main.ts'], { RUNNER_MAX_USES: '3' });
  if (typeof runner === 'string') return skip(runner);
  return { ...runner, task: { id, url: runner.url, version: 3, state: 'up' as const } };
}

const client = new RunnerHttp({ token: async () => RUNNER_TOKEN, patienceMs: 20_000 });

/** A function's dispatcher, over the registry that all share. */
function dispatcher() {
  const misses: string[] = [];
  const store = new DynamoRunners(dynamo.client, TABLES.runners, systemClock);
  const pool = new Dispatcher(
    {
      registry: store,
      client,
      clock: systemClock,
      random: Math.random,
      onNoRunner: async () => void misses.push('miss'),
      onRegistryError: (error) => {
        throw error;
      },
    },
    { maxPerWorkspace: 9, maxInBackground: 9, reserve: 0, maxKept: 2 },
  );
  return { store, pool, misses };
}

it('dispatchers that know of each other only through the registry share runners, and no two workspaces share one', async ({
  skip,
}) => {
  const [first, second] = [dispatcher(), dispatcher()];
  await expect(first.pool.run(hello, { workspaceId: 'a' })).rejects.toThrow(SandboxUnavailable);
  expect(first.misses).toEqual(['miss']);

  const tasks = await Promise.all(['one', 'two'].map((id) => startTask(id, skip)));
  const ports = { store: first.store, client, pause: async () => undefined };
  for (const { task } of tasks) await registerRunner(task, ports);
  expect((await second.pool.languages()).map(({ name }) => name)).toContain('bash');

  // Each workspace takes one of the two, with any dispatcher, and keeps it.
  for (let round = 0; round < 2; round += 1)
    for (const workspaceId of ['a', 'b']) {
      const { pool } = round === 0 ? first : second;
      expect(await pool.run(hello, { workspaceId })).toMatchObject(HELLO);
    }
  const known = await first.store.all();
  expect(known.map(({ workspaceId }) => workspaceId).sort()).toEqual(['a', 'b']);
  await expect(first.pool.run(hello, { workspaceId: 'c' })).rejects.toThrow(SandboxUnavailable);

  // The third program is the last one of each: it ends by itself, and gets no further program.
  for (const workspaceId of ['a', 'b']) expect(await second.pool.run(hello, { workspaceId })).toMatchObject(HELLO);
  for (const { exit } of tasks) expect(await exit).toEqual([0, null]);
  expect((await first.store.all()).every(({ drainingSinceMs }) => drainingSinceMs !== null)).toBe(true);

  for (const { task } of tasks) await registerRunner({ ...task, version: 9, state: 'gone' }, ports);
  expect(await first.store.all()).toEqual([]);
});

it('a task that dies in the middle of a program loses that program; the next one finds another task', async ({
  skip,
}) => {
  const { store, pool } = dispatcher();
  const ports = { store, client, pause: async () => undefined };
  const doomed = await startTask('doomed', skip);
  await registerRunner(doomed.task, ports);
  const running = pool.run(bash('sleep 60', 90), { workspaceId: 'a' });
  running.catch(() => undefined);
  while ((await store.candidates('b')).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  doomed.child.kill('SIGKILL');
  await expect(running).rejects.toThrow();

  const next = await startTask('next', skip);
  await registerRunner(next.task, ports);
  expect(await pool.run(hello, { workspaceId: 'a' })).toMatchObject(HELLO);
  const known = new Map((await store.all()).map(({ id, drainingSinceMs }) => [id, drainingSinceMs]));
  expect([known.get('doomed') === null, known.get('next') === null]).toEqual([false, true]);
  next.child.kill('SIGTERM');
  expect(await next.exit).toEqual([0, null]);
});
