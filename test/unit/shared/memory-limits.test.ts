import { expect, it } from 'vitest';
import { MemoryLimits } from '../../../functions/shared/limits/memory-limits.ts';

const limit = { name: 'messages', burst: 3, refillMs: 1_000 };

it('a bucket in memory holds its burst, is refilled by the clock, and knows its subjects apart', async () => {
  const limits = new MemoryLimits();
  const taken = async (subject: string, nowMs: number, tokens = 1) =>
    (await limits.take(limit, subject, tokens, nowMs)).taken;
  expect([await taken('a', 0), await taken('a', 0), await taken('a', 0), await taken('a', 0)]).toEqual([
    ...[true, true, true, false],
  ]);
  expect(await taken('b', 0)).toBe(true);
  expect(await taken('a', 999)).toBe(false);
  expect(await taken('a', 1_000)).toBe(true);
  expect(await taken('a', 1_000)).toBe(false);
  expect(await taken('a', 10_000, 4)).toBe(false);
  expect(await taken('a', 10_000, 3)).toBe(true);
});
