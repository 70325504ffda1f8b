import { describe, expect, it } from 'vitest';
import { type KnownRunner, type RunnerTask, tendRunners } from '../../../functions/sandbox/domain/tend-runners.ts';

const NOW_MS = 100 * 60_000;
const ago = (minutes: number) => NOW_MS - minutes * 60_000;

const known = (id: string, rest: Partial<KnownRunner> = {}): KnownRunner => ({
  id,
  url: `http://${id}`,
  workspaceId: null,
  takenAtMs: null,
  overAtMs: null,
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
  readonly book: readonly KnownRunner[];
  /** Of the service; by default those that are known. */
  readonly tasks?: readonly RunnerTask[];
  readonly current?: number;
}

async function tend({ book, tasks = book.map(({ id }) => task(id)), current = book.length }: Situation) {
  const done: string[] = [];
  const result = await tendRunners(
    {
      book: {
        all: async () => book,
        noteTask: async ({ id, state }) => void done.push(`note ${id} ${state}`),
      },
      service: {
        wanted: async () => current,
        want: async (count) => void done.push(`want ${count}`),
        tasks: async (ids) => {
          expect(ids).toEqual(book.map(({ id }) => id));
          return tasks;
        },
        stop: async (id) => void done.push(`stop ${id}`),
        protect: async (ids) => void done.push(`protect ${ids.join()}`),
      },
      clock: { now: () => NOW_MS },
    },
    { floor: 2, most: 6 },
  );
  return { ...result, done };
}

describe('the pool', () => {
  it('is left alone when it is as it should be', async () => {
    expect(await tend({ book: [known('1'), known('2')] })).toEqual({ wanted: 2, free: 2, stopped: [], done: [] });
  });

  it('keeps a floor of free runners beside those in use', async () => {
    expect(await tend({ book: [taken('1'), taken('2')] })).toMatchObject({ wanted: 4, free: 0, done: ['want 4'] });
  });

  it('does not outgrow its limit', async () => {
    const book = ['1', '2', '3', '4', '5', '6'].map((id) => taken(id));
    expect(await tend({ book })).toMatchObject({ wanted: 6, done: [] });
  });

  it('shrinks by one a time, and not by those in use', async () => {
    const book = [taken('1'), ...['2', '3', '4', '5', '6'].map((id) => known(id))];
    expect(await tend({ book })).toMatchObject({ wanted: 5, free: 5, done: ['protect 1', 'want 5'] });
  });

  it('comes back to its limit at once where that was lowered', async () => {
    const book = [known('1')];
    expect(await tend({ book, current: 40 })).toMatchObject({ wanted: 6 });
  });

  it('grows as long as too few are free, however many are being started in place of those that ended', async () => {
    const tasks = [task('1'), task('2', { state: 'starting' }), task('3', { state: 'starting' })];
    expect(await tend({ book: [taken('1')], tasks, current: 3 })).toMatchObject({ wanted: 5, free: 0 });
  });

  it('stays as large as replacing takes while enough are free', async () => {
    const tasks = [task('1'), task('2'), task('3'), task('4', { state: 'starting' })];
    const book = [taken('1'), known('2'), known('3')];
    expect(await tend({ book, tasks, current: 4 })).toMatchObject({ wanted: 4, free: 2, done: [] });
  });

  it('has a floor from nothing on', async () => {
    expect(await tend({ book: [], current: 0 })).toMatchObject({ wanted: 2, done: ['want 2'] });
  });
});

describe('the registry', () => {
  it('gets what no event has told: tasks that are up, and what has become of those that it knows', async () => {
    const { done } = await tend({
      book: [known('known'), known('ended'), known('changed')],
      tasks: [
        task('known'),
        task('ended', { state: 'gone' }),
        task('changed', { version: 4 }),
        task('new'),
        task('starting', { state: 'starting' }),
        task('stranger', { state: 'gone' }),
      ],
    });
    expect(done.filter((what) => what.startsWith('note'))).toEqual([
      'note ended gone',
      'note changed up',
      'note new up',
    ]);
  });
});

describe('a runner', () => {
  it('that should have ended by itself is ended', async () => {
    const { stopped } = await tend({ book: [taken('old', 21), taken('young', 19)] });
    expect(stopped).toEqual(['old']);
  });

  it('that nobody is sent to any more is ended when its last program must be over', async () => {
    const { stopped, free } = await tend({
      book: [known('silent', { overAtMs: ago(8) }), taken('retired', 9, { overAtMs: ago(6) })],
    });
    expect([stopped, free]).toEqual([['silent'], 0]);
  });

  it('that ends already is not ended again', async () => {
    const { stopped } = await tend({ book: [taken('old', 60)], tasks: [task('old', { state: 'gone' })] });
    expect(stopped).toEqual([]);
  });
});
