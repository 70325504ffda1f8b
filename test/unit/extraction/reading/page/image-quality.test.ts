import { describe, expect, it } from 'vitest';
import { measureQuality } from '../../../../../functions/extraction/domain/reading/page/image-quality.ts';
import { shrink } from '../../../../../functions/extraction/domain/reading/page/shrink.ts';
import type { Raster } from '../../../../../functions/extraction/domain/reading/raster.ts';
import { barPage, flatPicture, withNoise } from '../../../../helpers/draw.ts';

const page = barPage(1000, 1400);
const issuesOf = (picture: Raster) => measureQuality(picture).issues;
const map = (picture: Raster, change: (level: number) => number): Raster => ({
  ...picture,
  pixels: picture.pixels.map(change),
});

/** Out of focus: shrunk and drawn large again, smoothly. */
function outOfFocus({ width, height, pixels }: Raster, radius: number): Raster {
  const across = (source: Uint8Array, step: number, other: number, size: number, count: number) => {
    const out = new Uint8Array(source.length);
    for (let line = 0; line < count; line++)
      for (let at = 0; at < size; at++) {
        let sum = 0;
        for (let d = -radius; d <= radius; d++)
          sum += source[line * other + Math.min(size - 1, Math.max(0, at + d)) * step]!;
        out[line * other + at * step] = sum / (2 * radius + 1);
      }
    return out;
  };
  let blurred = pixels;
  for (let round = 0; round < 3; round++)
    blurred = across(across(blurred, 1, width, width, height), width, 1, height, width);
  return { width, height, pixels: blurred };
}

describe('measureQuality', () => {
  it('finds nothing wrong with a page, a gray one, a dim one and a noisy one', () => {
    for (const picture of [
      page,
      map(page, (level) => 60 + level / 3),
      map(page, (level) => level / 3),
      withNoise(page, 25),
    ])
      expect(measureQuality(picture)).toMatchObject({ readable: true, issues: [] });
  });

  it('reports the fault of an illegible picture', () => {
    expect(issuesOf(flatPicture(1, 1, 255))).toContain('too_small');
    expect(issuesOf(barPage(600, 40))).toContain('too_small');
    expect(issuesOf(flatPicture(900, 700, 0))).toEqual(['too_dark', 'low_contrast']);
    expect(issuesOf(map(page, (level) => level / 8))).toContain('too_dark');
    expect(issuesOf(flatPicture(900, 700, 255))).toEqual(['low_contrast']);
    expect(issuesOf(map(page, (level) => 200 + level / 16))).toEqual(['low_contrast']);
    expect(issuesOf(outOfFocus(page, 9))).toEqual(['blurred']);
  });

  it('calls none of these readable', () => {
    for (const picture of [
      flatPicture(1, 1, 9),
      flatPicture(900, 700, 0),
      flatPicture(900, 700, 255),
      outOfFocus(page, 9),
    ])
      expect(measureQuality(picture).readable).toBe(false);
  });

  it("distinguishes a program's drawing from a sensor's picture", () => {
    expect(measureQuality(page).drawn).toBe(true);
    expect(measureQuality(withNoise(page, 5)).drawn).toBe(false);
  });

  it('lets a little blur pass', () => {
    expect(issuesOf(outOfFocus(page, 1))).toEqual([]);
    expect(issuesOf(shrink(page, 3))).toEqual([]);
  });
});
