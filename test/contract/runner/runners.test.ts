import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DynamoRunners } from '../../../functions/adapters/runner/dynamo-runners.ts';
import type { RunnerTask } from '../../../functions/sandbox/domain/reconcile-pool.ts';
import { SandboxUnavailable } from '../../../functions/sandbox/domain/sandbox-pool.ts';
import { type TestClock, testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';

let dynamo: EmbeddedDynamo;
let clock: TestClock;
let runners: DynamoRunners;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());
beforeEach(() => {
  clock = testClock();
  runners = new DynamoRunners(dynamo.client, TABLES.runners, clock);
});

let tasks = 0;
const newTask = (rest: Partial<RunnerTask> = {}): RunnerTask => {
  const id = `task-${tasks++}`;
  return { id, url: `http://${id}:8080`, version: 3, state: 'up', ...rest };
};

/** As another function sees it. */
const found = async ({ id }: RunnerTask) => (await runners.all()).find((runner) => runner.id === id);
const isCandidate = async ({ id }: RunnerTask, workspaceId: string) =>
  (await runners.candidates(workspaceId)).some((runner) => runner.id === id);

/** The runner of a task that is up. */
async function noted(task = newTask()) {
  await runners.recordTask(task);
  const runner = await found(task);
  if (runner === undefined) throw new Error('It is not there.');
  return { task, runner };
}

describe('a runner', () => {
  it('a runner belongs to no workspace at first, and then to the one that took it', async () => {
    const { task, runner } = await noted();
    expect(runner).toEqual({
      id: task.id,
      url: task.url,
      version: 3,
      workspaceId: null,
      session: null,
      takenAtMs: null,
      drainingSinceMs: null,
    });
    expect([await isCandidate(task, 'a'), await isCandidate(task, 'b')]).toEqual([true, true]);
    await runners.markTaken(runner, 'a');
    expect(await found(task)).toMatchObject({ workspaceId: 'a', takenAtMs: clock.now() });
    expect([await isCandidate(task, 'a'), await isCandidate(task, 'b')]).toEqual([true, false]);
  });

  it('stays that workspace’s, since its first program', async () => {
    const { task, runner } = await noted();
    const takenAtMs = clock.now();
    await runners.markTaken(runner, 'a');
    clock.advance(60);
    await runners.markTaken(runner, 'b');
    await runners.markTaken((await found(task)) ?? runner, 'a');
    expect(await found(task)).toMatchObject({ workspaceId: 'a', takenAtMs });
  });

  it('an ended runner is no longer a candidate, from the first report on', async () => {
    const { task, runner } = await noted();
    await runners.markDraining(runner);
    const drainingSinceMs = clock.now();
    clock.advance(60);
    await runners.markDraining(runner);
    expect(await isCandidate(task, 'a')).toBe(false);
    expect(await found(task)).toMatchObject({ drainingSinceMs });
  });

  it('a report about a removed runner does not create it again', async () => {
    const { task, runner } = await noted();
    await runners.recordTask({ ...task, version: 4, state: 'gone' });
    await runners.markTaken(runner, 'a');
    await runners.markDraining(runner);
    await runners.markTaken({ ...runner, id: 'never-seen' }, 'a');
    expect(await found(task)).toBeUndefined();
    expect((await runners.all()).some(({ id }) => id === 'never-seen')).toBe(false);
  });
});

describe('news of a task', () => {
  it('reports give the same state in any order and with repetitions', async () => {
    const life = (task: RunnerTask): RunnerTask[] => [
      { ...task, version: 2, state: 'starting' },
      { ...task, version: 3, state: 'up' },
      { ...task, version: 5, state: 'up' },
      { ...task, version: 6, state: 'gone' },
      { ...task, version: 7, state: 'gone' },
    ];
    const orders = fc.array(fc.nat(4), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const task = newTask();
        const news = life(task);
        for (const index of order) await runners.recordTask(news[index] as RunnerTask);
        const last = Math.max(...order);
        const isUp = last < 3 && last > 0;
        expect((await found(task))?.version).toBe(isUp ? (news[last] as RunnerTask).version : undefined);
      }),
      { numRuns: 30 },
    );
  });

  it('keeps whose it is', async () => {
    const { task, runner } = await noted();
    await runners.markTaken(runner, 'a');
    await runners.recordTask({ ...task, version: 9 });
    expect(await found(task)).toMatchObject({ workspaceId: 'a', version: 9 });
  });

  it('a runner without an address does not count', async () => {
    const task = newTask({ url: null });
    await runners.recordTask(task);
    expect(await found(task)).toBeUndefined();
  });

  it('is forgotten when it has ended long ago', async () => {
    const { task } = await noted();
    await runners.recordTask({ ...task, version: 4, state: 'gone' });
    const items = await dynamo.items('runners');
    expect(items.find(({ sk }) => sk === task.id)).toMatchObject({
      expiresAt: Math.floor(clock.now() / 1000) + 24 * 60 * 60,
    });
  });
});

it('knows what the runners can run as soon as one has answered', async () => {
  await expect(runners.languages()).rejects.toThrow(SandboxUnavailable);
  await runners.saveLanguages([{ name: 'ruby', version: '3.3' }]);
  expect(await runners.languages()).toEqual([{ name: 'ruby', version: '3.3' }]);
  await runners.saveLanguages([{ name: 'ruby', version: '3.4' }]);
  expect(await runners.languages()).toEqual([{ name: 'ruby', version: '3.3' }]);
  clock.advance(60);
  expect(await runners.languages()).toEqual([{ name: 'ruby', version: '3.4' }]);
});
