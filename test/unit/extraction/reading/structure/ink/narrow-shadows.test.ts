import { describe, expect, it } from 'vitest';
import type { Raster } from '../../../../../../functions/extraction/domain/reading/raster.ts';
import { findPrint, wordsOf } from '../../../../../../functions/extraction/domain/reading/structure/find-print.ts';
import { withoutNarrowShadows } from '../../../../../../functions/extraction/domain/reading/structure/ink/narrow-shadows.ts';
import { fill, flatPicture, letters } from '../../../../../helpers/draw.ts';

const REACH = 20;
const ROWS = [60, 110, 160, 210, 260, 310];

function sheet(): Raster {
  const page = flatPicture(1000, 400, 242);
  for (const top of ROWS) for (const left of [60, 300, 700]) letters(page, left, top, 9);
  return page;
}

/** A soft band across the page, darkest in its middle: `depth` of the light is left there. */
function folded(
  page: Raster,
  { at, half, depth, tilt = 0 }: Record<'at' | 'half' | 'depth', number> & { tilt?: number },
) {
  const { width } = page;
  const pixels = page.pixels.map((level, index) => {
    const [x, y] = [index % width, Math.floor(index / width)];
    const apart = Math.abs(y - at - (x - width / 2) * Math.tan((tilt * Math.PI) / 180)) / half;
    return apart < 1 ? Math.round(level * (depth + (1 - depth) * apart)) : level;
  });
  return { ...page, pixels };
}

const turned = ({ width, height, pixels }: Raster): Raster => ({
  width: height,
  height: width,
  pixels: pixels.map((_, at) => pixels[(at % height) * width + Math.floor(at / height)]!),
});

describe('print in the shadow of a fold', () => {
  it.each([
    { at: 167, half: 26, depth: 0.35 },
    { at: 167, half: 40, depth: 0.35 },
    { at: 150, half: 26, depth: 0.35, tilt: 1 },
  ])('is found as words: %o', (fold) => {
    const placesOf = (page: Raster) =>
      wordsOf(findPrint(page)!).map(({ left, top }) => `${Math.round(left / 10)} ${Math.round(top / 10)}`);
    expect(placesOf(folded(sheet(), fold)).toSorted()).toEqual(placesOf(sheet()).toSorted());
  });

  it('stands out from its paper along rows and along columns alike', () => {
    const fold = { at: 167, half: 26, depth: 0.35 };
    const down = withoutNarrowShadows(folded(sheet(), fold), REACH);
    // Paper next to a letter in the middle of the fold, and the letter.
    expect(down.pixels[167 * 1000 + 57]).toBeGreaterThan(130);
    expect(down.pixels[167 * 1000 + 64]).toBeLessThan(60);
    expect(withoutNarrowShadows(turned(folded(sheet(), fold)), REACH).pixels).toEqual(turned(down).pixels);
  });
});

describe('a page without folds', () => {
  it('is the same page', () => {
    const page = sheet();
    expect(withoutNarrowShadows(page, REACH)).toBe(page);
  });

  it('keeps rules and hard bars dark', () => {
    const page = sheet();
    for (const top of ROWS) fill(page, 0, top + 30, 1000, 3, 30);
    fill(page, 50, 20, 900, 16, 30);
    const { pixels } = withoutNarrowShadows(page, REACH);
    expect(pixels[28 * 1000 + 500]).toBeLessThan(110);
    for (const top of ROWS) expect(pixels[(top + 31) * 1000 + 500]).toBeLessThan(60);
  });
});
