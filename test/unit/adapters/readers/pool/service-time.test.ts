import { describe, expect, it } from 'vitest';
import { ServiceTime } from '../../../../../functions/adapters/readers/pool/service-time.ts';

const NOW = 1_000_000;

function forecastOf(pageMs: number): ServiceTime {
  const forecast = new ServiceTime();
  for (let n = 0; n < 200; n++) forecast.learn(pageMs);
  return forecast;
}

describe('ServiceTime', () => {
  it('learns how long a page takes, and forgets', () => {
    const forecast = forecastOf(2000);
    expect(forecast.pageMs(NOW, [])).toBeCloseTo(2000);
    for (let n = 0; n < 30; n++) forecast.learn(6000);
    expect(forecast.pageMs(NOW, [])).toBeGreaterThan(5900);
  });

  it('is not upset by one page', () => {
    const forecast = forecastOf(2000);
    forecast.learn(12_000);
    expect(forecast.pageMs(NOW, [])).toBeLessThan(4000);
  });

  it('does not hold long to its first guess', () => {
    const forecast = new ServiceTime();
    for (let n = 0; n < 3; n++) forecast.learn(12_000);
    expect(forecast.pageMs(NOW, [])).toBeGreaterThan(9000);
  });

  it('sees that times have changed before any page is done', () => {
    expect(forecastOf(2000).pageMs(NOW, [NOW - 9000, NOW - 8000])).toBeCloseTo(2900);
    expect(forecastOf(2000).pageMs(NOW, [NOW - 90_000, NOW - 80_000])).toBeCloseTo(13_700);
    expect(forecastOf(2000).pageMs(NOW, [NOW - 9000, NOW - 100])).toBeCloseTo(2000);
  });

  it.each([
    ['the page at hand, then mine', [NOW - 500], 0, NOW + 1500 + 2000],
    ['one reader, three before me', [NOW], 3, NOW + 5 * 2000],
    ['two readers, the one that started first is free first', [NOW, NOW - 1000], 0, NOW + 1000 + 2000],
    ['two readers, one before me: I get the other', [NOW, NOW - 1000], 1, NOW + 2000 + 2000],
    ['two readers, two before me: a second round', [NOW, NOW - 1000], 2, NOW + 1000 + 2 * 2000],
    ['a page that takes longer than most may end at any moment', [NOW - 9000, NOW], 0, NOW + 2000],
  ])('%s', (_, busySinceMs, ahead, doneAtMs) => {
    expect(forecastOf(2000).doneAtMs(NOW, ahead, busySinceMs)).toBeCloseTo(doneAtMs, 3);
  });
});
