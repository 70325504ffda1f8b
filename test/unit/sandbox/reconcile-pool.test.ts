import { describe, expect, it } from 'vitest';
import { type KnownRunner, type RunnerTask, reconcilePool } from '../../../functions/sandbox/domain/reconcile-pool.ts';

const NOW_MS = 100 * 60_000;
const ago = (minutes: number) => NOW_MS - minutes * 60_000;

const known = (id: string, rest: Partial<KnownRunner> = {}): KnownRunner => ({
  id,
  url: `http://${id}`,
  workspaceId: null,
  takenAtMs: null,
  drainingSinceMs: null,
  session: null,
  version: 3,
  ...rest,
});
const taken = (id: string, minutesAgo = 1, rest: Partial<KnownRunner> = {}) =>
  known(id, { workspaceId: 'a', takenAtMs: ago(minutesAgo), ...rest });
const task = (id: string, rest: Partial<RunnerTask> = {}): RunnerTask => ({
  id,
  url: `http://${id}`,
  version: 3,
  state: 'up',
  ...rest,
});

interface Situation {
  readonly recorded: readonly KnownRunner[];
  /** Of the service; by default those that are known. */
  readonly tasks?: readonly RunnerTask[];
  readonly current?: number;
}

async function reconcile({
  recorded,
  tasks = recorded.map(({ id }) => task(id)),
  current = recorded.length,
}: Situation) {
  const done: string[] = [];
  const result = await reconcilePool(
    {
      store: {
        all: async () => recorded,
        recordTask: async ({ id, state }) => void done.push(`record ${id} ${state}`),
      },
      service: {
        desiredCount: async () => current,
        setDesiredCount: async (count) => void done.push(`want ${count}`),
        tasks: async (ids) => {
          expect(ids).toEqual(recorded.map(({ id }) => id));
          return tasks;
        },
        stop: async (id) => void done.push(`stop ${id}`),
        protect: async (ids) => void done.push(`protect ${ids.join()}`),
      },
      clock: { now: () => NOW_MS },
    },
    { minIdle: 2, maxSize: 6 },
  );
  return { ...result, done };
}

describe('the pool', () => {
  it('is left alone when it is as it should be', async () => {
    expect(await reconcile({ recorded: [known('1'), known('2')] })).toEqual({
      desired: 2,
      idle: 2,
      stopped: [],
      done: [],
    });
  });

  it('keeps idle runners in addition to those in use', async () => {
    expect(await reconcile({ recorded: [taken('1'), taken('2')] })).toMatchObject({
      desired: 4,
      idle: 0,
      done: ['want 4'],
    });
  });

  it('does not outgrow its limit', async () => {
    const book = ['1', '2', '3', '4', '5', '6'].map((id) => taken(id));
    expect(await reconcile({ recorded: book })).toMatchObject({ desired: 6, done: [] });
  });

  it('shrinks by one a time, and not by those in use', async () => {
    const book = [taken('1'), ...['2', '3', '4', '5', '6'].map((id) => known(id))];
    expect(await reconcile({ recorded: book })).toMatchObject({ desired: 5, idle: 5, done: ['protect 1', 'want 5'] });
  });

  it('comes back to its limit at once where that was lowered', async () => {
    const book = [known('1')];
    expect(await reconcile({ recorded: book, current: 40 })).toMatchObject({ desired: 6 });
  });

  it('grows as long as too few are idle, however many are being started in place of those that ended', async () => {
    const tasks = [task('1'), task('2', { state: 'starting' }), task('3', { state: 'starting' })];
    expect(await reconcile({ recorded: [taken('1')], tasks, current: 3 })).toMatchObject({ desired: 5, idle: 0 });
  });

  it('stays as large as replacing takes while enough are idle', async () => {
    const tasks = [task('1'), task('2'), task('3'), task('4', { state: 'starting' })];
    const book = [taken('1'), known('2'), known('3')];
    expect(await reconcile({ recorded: book, tasks, current: 4 })).toMatchObject({ desired: 4, idle: 2, done: [] });
  });

  it('keeps idle runners from nothing on', async () => {
    expect(await reconcile({ recorded: [], current: 0 })).toMatchObject({ desired: 2, done: ['want 2'] });
  });
});

describe('the registry', () => {
  it('records states whose events were lost: tasks that are up, and the end of known ones', async () => {
    const { done } = await reconcile({
      recorded: [known('known'), known('ended'), known('changed')],
      tasks: [
        task('known'),
        task('ended', { state: 'gone' }),
        task('changed', { version: 4 }),
        task('new'),
        task('starting', { state: 'starting' }),
        task('stranger', { state: 'gone' }),
      ],
    });
    expect(done.filter((what) => what.startsWith('record'))).toEqual([
      'record ended gone',
      'record changed up',
      'record new up',
    ]);
  });
});

describe('a runner', () => {
  it('that should have ended by itself is ended', async () => {
    const { stopped } = await reconcile({ recorded: [taken('old', 21), taken('young', 19)] });
    expect(stopped).toEqual(['old']);
  });

  it('that is draining is ended when its last program must be over', async () => {
    const { stopped, idle } = await reconcile({
      recorded: [known('silent', { drainingSinceMs: ago(8) }), taken('retired', 9, { drainingSinceMs: ago(6) })],
    });
    expect([stopped, idle]).toEqual([['silent'], 0]);
  });

  it('that ends already is not ended again', async () => {
    const { stopped } = await reconcile({ recorded: [taken('old', 60)], tasks: [task('old', { state: 'gone' })] });
    expect(stopped).toEqual([]);
  });
});
