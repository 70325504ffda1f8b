import { expect, it } from 'vitest';
import { retryDelayMs } from '../../../../functions/shared/leases/retry-schedule.ts';

const schedule = { firstMs: 100, factor: 3, maxMs: 1_000 };
const delays = (jitter: number, random: number) =>
  [1, 2, 3, 4].map((attempt) => retryDelayMs({ ...schedule, jitter }, attempt, () => random));

it('delays grow by a factor up to a maximum', () => {
  expect(delays(0, 0.5)).toEqual([100, 300, 900, 1_000]);
});

it('jitter takes a random part off, of all of the delay at most', () => {
  expect(delays(0.5, 0)).toEqual([50, 150, 450, 500]);
  expect(delays(1, 0.25)).toEqual([25, 75, 225, 250]);
  expect(delays(1, 0)).toEqual([0, 0, 0, 0]);
});
