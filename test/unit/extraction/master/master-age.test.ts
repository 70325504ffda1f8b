import { expect, it } from 'vitest';
import { ageInDays, isStale } from '../../../../functions/extraction/domain/master/master-age.ts';

const list = (version: string) => ({ version, dates: [], source: '', attribution: '' });

it('a list is stale after 120 days by the calendar in Korea, not before', () => {
  const info = list('2026-07-01');
  // 2026-10-29 in Korea starts at 15:00 UTC of the day before.
  const lastFreshMs = Date.parse('2026-10-29T14:59:59Z');
  expect([ageInDays(info, lastFreshMs), isStale(info, lastFreshMs)]).toEqual([120, false]);
  expect([ageInDays(info, lastFreshMs + 1000), isStale(info, lastFreshMs + 1000)]).toEqual([121, true]);
});

it('a list of next month is not stale, and not yet a day old', () => {
  expect(ageInDays(list('2026-12-01'), Date.parse('2026-11-27T00:00:00Z'))).toBe(-4);
});
