import { expect, it } from 'vitest';
import { mannWhitney } from '../../../bench/mann-whitney.ts';

const range = (count: number, first = 0) => Array.from({ length: count }, (_, i) => first + i);

it('tells samples of different places apart, and not those of one', () => {
  expect(mannWhitney(range(50), range(50, 100)).p).toBeLessThan(1e-15);
  expect(mannWhitney(range(50), range(50)).p).toBeGreaterThan(0.99);
  expect(mannWhitney([1, 1, 1], [1, 1, 1]).p).toBe(1);
});

it('counts the pairs in which the first is the larger', () => {
  // Of 4, 7 and 9 against 1, 5 and 8: 1 + 2 + 3 pairs.
  expect(mannWhitney([4, 7, 9], [1, 5, 8]).u).toBe(6);
  const [low, high] = [range(10), range(10, 5).map((x) => x + 0.5)];
  expect(mannWhitney(low, high).p).toBeCloseTo(mannWhitney(high, low).p, 10);
});
