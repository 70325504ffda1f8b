import { afterEach, expect, it, vi } from 'vitest';
import { sampledCalls } from '../../helpers/sampled-calls.ts';

afterEach(() => vi.unstubAllEnvs());

const sampledBy = (seed: string, length: number, from?: number) => {
  vi.stubEnv('FAULTS', undefined);
  vi.stubEnv('FAULT_SEED', seed);
  return sampledCalls(length, from);
};

it('a walk of more than four calls meets its fault at four different ones, the last included', () => {
  for (let seed = 0; seed < 50; seed++) {
    const calls = sampledBy(`${seed}`, 12, 3);
    expect(new Set(calls).size).toBe(4);
    expect(calls.at(-1)).toBe(11);
    expect(Math.min(...calls)).toBeGreaterThanOrEqual(3);
  }
});

it('a short walk meets its fault at every call', () => {
  expect(sampledBy('1', 4)).toEqual([0, 1, 2, 3]);
});

it('a walk without a call that could meet its fault fails', () => {
  expect(() => sampledBy('1', 3, 3)).toThrow('would show nothing');
});

it('the same seed chooses the same calls, and all seeds together choose every call', () => {
  expect(sampledBy('1', 30)).toEqual(sampledBy('1', 30));
  const chosen = Array.from({ length: 100 }, (_, seed) => sampledBy(`${seed}`, 12)).flat();
  expect(new Set(chosen).size).toBe(12);
});

it('every call meets its fault where all are wanted', () => {
  vi.stubEnv('FAULTS', 'all');
  expect(sampledCalls(7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
