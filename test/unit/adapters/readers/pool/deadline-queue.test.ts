import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeadlineQueue } from '../../../../../functions/adapters/readers/pool/deadline-queue.ts';

const never = Number.POSITIVE_INFINITY;
const late = () => new Error('too late');

describe('DeadlineQueue', () => {
  it('serves the nearest deadline first, and who came first among equal ones', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(never))), async (deadlines) => {
        const line = new DeadlineQueue<number>();
        const turns = deadlines.map((deadlineMs) => line.wait(deadlineMs, never, late));
        let served = 0;
        while (line.serve(() => served)) served++;
        const order = await Promise.all(turns);
        const expected = deadlines
          .map((deadlineMs, came) => ({ deadlineMs, came }))
          .sort((a, b) => (a.deadlineMs === b.deadlineMs ? a.came - b.came : a.deadlineMs - b.deadlineMs));
        expected.forEach(({ came }, turn) => {
          expect(order[came]).toBe(turn);
        });
      }),
    );
  });

  it('says how many go before a newcomer', () => {
    const line = new DeadlineQueue<void>();
    for (const deadlineMs of [30, 10, never, 20]) void line.wait(deadlineMs, never, late);
    expect([5, 10, 25, never].map((deadlineMs) => line.ahead(deadlineMs))).toEqual([0, 1, 2, 4]);
  });

  it('lets go who waits in vain, and goes on with the others', async () => {
    const line = new DeadlineQueue<string>();
    const inVain = line.wait(1, 1, late);
    const patient = line.wait(2, never, late);
    await expect(inVain).rejects.toThrow('too late');
    expect(line.length).toBe(1);
    expect(line.serve(() => 'served')).toBe(true);
    await expect(patient).resolves.toBe('served');
    expect(line.serve(() => 'nobody')).toBe(false);
  });

  it('lets go at once who would come too late as things are now, and counts the others only', async () => {
    const line = new DeadlineQueue<string>();
    const turns = [10, 20, 20, 40].map((deadlineMs) => line.wait(deadlineMs, never, late));
    // Ten for each page: the second of the two that want theirs by 20 would be third in line.
    line.reconsider((ahead, deadlineMs) => (ahead + 1) * 10 > deadlineMs);
    expect(line.length).toBe(3);
    while (line.serve(() => 'served'));
    const outcomes = await Promise.allSettled(turns);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });

  it('makes no turn that nobody takes', () => {
    const line = new DeadlineQueue<void>();
    line.serve(() => {
      throw new Error('a turn was made');
    });
  });

  it('ends the waiting of all', async () => {
    const line = new DeadlineQueue<void>();
    const waiting = [line.wait(1, 10_000, late), line.wait(never, never, late)];
    line.dissolve(() => new Error('the end'));
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(line.length).toBe(0);
  });
});
