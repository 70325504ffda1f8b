import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { largeStep } from '../../../functions/shared/large-steps.ts';

const LARGE = 8 * 1024 * 1024;

describe('steps over large texts', () => {
  it('run one at a time, in the order in which they came, and other work runs between them', async () => {
    const seen: string[] = [];
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        await turn();
        if (seen.at(-1) !== 'other') seen.push('other');
      }
    })();
    await Promise.all(['a', 'b', 'c'].map((name) => largeStep(LARGE, 'ws', () => seen.push(name))));
    isOver = true;
    await others;
    expect(seen.filter((name) => name !== 'other')).toEqual(['a', 'b', 'c']);
    for (const [before, after] of [
      ['a', 'b'],
      ['b', 'c'],
    ] as const)
      expect(seen.slice(seen.indexOf(before), seen.indexOf(after))).toContain('other');
  });

  it('give their results and their faults to who asked, and the next one runs', async () => {
    const [failed, done] = await Promise.allSettled([
      largeStep(LARGE, 'ws', () => {
        throw new Error('broken');
      }),
      largeStep(LARGE, 'ws', () => 'done'),
    ]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'broken' } });
    expect(done).toEqual({ status: 'fulfilled', value: 'done' });
  });

  it('of a tenant that queues many wait for one of each other tenant', async () => {
    const seen: string[] = [];
    const queued = Array.from({ length: 10 }, () => largeStep(LARGE, 'greedy', () => seen.push('greedy')));
    const others = ['a', 'b'].map((name) => largeStep(LARGE, name, () => seen.push(name)));
    await Promise.all([...queued, ...others]);
    expect(seen.slice(0, 4)).toEqual(['greedy', 'a', 'b', 'greedy']);
  });

  it('over small texts wait for none', async () => {
    const seen: string[] = [];
    const large = largeStep(LARGE, 'ws', () => seen.push('large'));
    await largeStep(100, 'ws', () => seen.push('small'));
    expect(seen).toEqual(['small']);
    await large;
  });
});
