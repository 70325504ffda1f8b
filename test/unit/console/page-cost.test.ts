import { describe, expect, it } from 'vitest';
import { affordablePages, costOf } from '../../../console/src/ui/page-cost.ts';

describe('the cost of pages', () => {
  it('uses free pages first', () => {
    expect(costOf(5, 3)).toEqual({ free: 3, krw: 400 });
    expect(costOf(2, 10)).toEqual({ free: 2, krw: 0 });
    expect(costOf(100, 0)).toEqual({ free: 0, krw: 20_000 });
  });

  it('is covered by the free pages and the whole pages of the balance', () => {
    expect(affordablePages({ balanceKrw: 399, freePagesLeft: 2 })).toBe(3);
    expect(affordablePages({ balanceKrw: 199, freePagesLeft: 0 })).toBe(0);
  });
});
