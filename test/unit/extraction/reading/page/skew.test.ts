import { describe, expect, it } from 'vitest';
import { turnRaster } from '../../../../../functions/extraction/domain/reading/page/quarter-turn.ts';
import { findSkew } from '../../../../../functions/extraction/domain/reading/page/skew.ts';
import type { Raster } from '../../../../../functions/extraction/domain/reading/raster.ts';
import { barPage, flatPicture, layInto, turnedRectangle, withNoise } from '../../../../helpers/draw.ts';

/** A page that lies askew on white, as on the glass of a scanner. */
function askew(degrees: number, ruled: boolean): Raster {
  const glass = flatPicture(870, 1130, 250);
  const corners = turnedRectangle(glass, 730, 1000, degrees);
  return withNoise(layInto(glass, barPage(730, 1000, { ruled }), corners), 10);
}

describe('findSkew', () => {
  it.each([0, 0.3, -0.7, 1.8, -2.6, 4.4, -4.9])('measures %d degrees to a tenth', (degrees) => {
    for (const ruled of [false, true]) expect(Math.abs(findSkew(askew(degrees, ruled)) - degrees)).toBeLessThan(0.1);
  });

  it('does not care which way up the page is', () => {
    for (const turn of [90, 180, 270] as const)
      expect(Math.abs(findSkew(turnRaster(askew(1.8, true), turn)) - 1.8)).toBeLessThan(0.1);
  });

  it('is zero without anything to measure', () => {
    expect(findSkew(flatPicture(900, 700, 255))).toBe(0);
    expect(findSkew(flatPicture(1, 1, 0))).toBe(0);
  });
});
