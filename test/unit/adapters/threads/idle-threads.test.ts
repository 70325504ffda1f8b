import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { numberedThreads } from '../../../helpers/thread-number.ts';

const caller = { tenant: 'one' };
const started: Worker[] = [];
const remember = (worker: Worker) => void started.push(worker);

beforeEach(() => {
  started.length = 0;
  process.on('worker', remember);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  process.off('worker', remember);
  vi.useRealTimers();
});

describe('threads that are kept', () => {
  it('take jobs that follow within 10 s of each other', async () => {
    const threads = numberedThreads();
    const first = await threads.run(null, caller);
    for (let n = 0; n < 3; n++) {
      vi.advanceTimersByTime(9_000);
      expect(await threads.run(null, caller)).toBe(first);
    }
    expect(started).toHaveLength(1);
  });

  it('end after 10 s without a job, and give their memory back', async () => {
    const threads = numberedThreads();
    const first = await threads.run(null, caller);
    const ended = once(started[0]!, 'exit');
    vi.advanceTimersByTime(10_000);
    await ended;
    expect(vi.getTimerCount()).toBe(0);
    expect(await threads.run(null, caller)).not.toBe(first);
  });

  it('end one by one while fewer are needed', async () => {
    const threads = numberedThreads();
    const both = await Promise.all([threads.run(null, caller), threads.run(null, caller)]);
    const ends = started.map((worker) => once(worker, 'exit').then(() => worker));
    vi.advanceTimersByTime(6_000);
    const used = await threads.run(null, caller);
    expect(both).toContain(used);
    vi.advanceTimersByTime(6_000);
    await Promise.race(ends);
    expect(await threads.run(null, caller)).toBe(used);
    expect(started).toHaveLength(2);
  });
});
