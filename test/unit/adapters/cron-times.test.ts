import { describe, expect, it } from 'vitest';
import { cronTimes } from '../../../functions/adapters/workflows/cron-times.ts';

/** The first times of a pattern after another one, in UTC. */
function times(cron: string, timeZone: string, after: string, count: number): string[] {
  const found: string[] = [];
  for (let ms: number | null = Date.parse(after); found.length < count; ) {
    ms = cronTimes.next({ cron, timeZone }, ms!);
    found.push(new Date(ms!).toISOString().slice(0, 16));
  }
  return found;
}

const NEW_YORK = 'America/New_York';

describe('times of cron patterns', () => {
  it('a pattern is read in its time zone', () => {
    expect(times('0 9 * * 1-5', 'Asia/Seoul', '2026-11-27T00:00:00Z', 2)).toEqual([
      '2026-11-30T00:00',
      '2026-12-01T00:00',
    ]);
  });

  it('a daily time that the clock leaves out in spring comes at the moment of the change, once', () => {
    expect(times('30 2 * * *', NEW_YORK, '2026-03-07T08:00:00Z', 2)).toEqual(['2026-03-08T07:00', '2026-03-09T06:30']);
  });

  it('a daily time that comes twice in autumn counts once, the first time', () => {
    expect(times('30 1 * * *', NEW_YORK, '2026-10-31T12:00:00Z', 2)).toEqual(['2026-11-01T05:30', '2026-11-02T06:30']);
  });

  it('a pattern of every hour continues evenly while the clock goes back', () => {
    const hours = ['2026-11-01T04:00', '2026-11-01T05:00', '2026-11-01T06:00', '2026-11-01T07:00'];
    expect(times('0 * * * *', NEW_YORK, '2026-11-01T03:50:00Z', 4)).toEqual(hours);
  });
});
