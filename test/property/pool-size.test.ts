import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type RunnerTask, reconcilePool } from '../../functions/sandbox/domain/reconcile-pool.ts';

interface Task {
  readonly id: string;
  readonly upAtS: number;
  workspaceId: string | null;
  takenAtS: number | null;
}

interface Load {
  /** Workspaces that run one program after another. */
  readonly workspaces: number;
  /** How long a runner lasts one of them: 20 programs, at 100 a minute. */
  readonly useS: number;
  /** Until a task that replaces another one answers. */
  readonly startS: number;
}

const SIZE = { minIdle: 2, maxSize: 60 };

/** The pool second by second, as ECS keeps it. @returns the seconds at which a workspace found no runner */
async function simulate({ workspaces, useS, startS }: Load, minutes: number) {
  let nowS = 0;
  let wanted = SIZE.minIdle;
  let tasks: Task[] = [];
  const misses: number[] = [];
  let started = 0;
  const isUp = ({ upAtS }: Task) => upAtS <= nowS;
  const ports = {
    store: {
      all: async () =>
        tasks.filter(isUp).map(({ id, workspaceId, takenAtS }) => ({
          id,
          url: id,
          version: 1,
          drainingSinceMs: null,
          session: null,
          workspaceId,
          takenAtMs: takenAtS === null ? null : takenAtS * 1000,
        })),
      recordTask: async () => undefined,
    },
    service: {
      desiredCount: async () => wanted,
      setDesiredCount: async (count: number) => {
        wanted = count;
        const surplus = tasks
          .filter(({ workspaceId }) => workspaceId === null)
          .slice(0, Math.max(0, tasks.length - count));
        tasks = tasks.filter((task) => !surplus.includes(task));
      },
      tasks: async (): Promise<RunnerTask[]> =>
        tasks.map((task) => ({ id: task.id, url: task.id, version: 1, state: isUp(task) ? 'up' : 'starting' })),
      stop: async (id: string) => {
        throw new Error(`${id} was still to be used`);
      },
      protect: async () => undefined,
    },
    clock: { now: () => nowS * 1000 },
  };
  for (; nowS < minutes * 60; nowS += 1) {
    tasks = tasks.filter(({ takenAtS }) => takenAtS === null || nowS - takenAtS < useS);
    while (tasks.length < wanted)
      tasks.push({ id: `task-${started++}`, upAtS: nowS + startS, workspaceId: null, takenAtS: null });
    for (let workspace = 0; workspace < workspaces; workspace += 1) {
      const workspaceId = `ws-${workspace}`;
      if (tasks.some((task) => task.workspaceId === workspaceId)) continue;
      const free = tasks.find((task) => isUp(task) && task.workspaceId === null);
      if (free === undefined) misses.push(nowS);
      else Object.assign(free, { workspaceId, takenAtS: nowS });
    }
    if (nowS % 60 === 59) await reconcilePool(ports, SIZE);
  }
  return { misses, wanted };
}

it('a pool under even load grows until 99 in 100 programs find a runner at once', async () => {
  const load = fc.record({
    workspaces: fc.integer({ min: 1, max: 6 }),
    useS: fc.integer({ min: 12, max: 600 }),
    startS: fc.integer({ min: 15, max: 90 }),
  });
  await fc.assert(
    fc.asyncProperty(load, async (given) => {
      const { misses } = await simulate(given, 60);
      // Each workspace asks once a second.
      const programs = given.workspaces * 30 * 60;
      expect(misses.filter((atS) => atS >= 30 * 60).length / programs).toBeLessThan(0.01);
    }),
    { numRuns: 40 },
  );
});

it('a pool without load shrinks to its minimum of idle runners', async () => {
  const { wanted } = await simulate({ workspaces: 0, useS: 12, startS: 40 }, 60);
  expect(wanted).toBe(SIZE.minIdle);
});
