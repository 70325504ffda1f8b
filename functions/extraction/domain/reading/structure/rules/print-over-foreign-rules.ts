import type { Raster } from '../../raster.ts';
import type { Frame } from '../tables/stacked-grids.ts';
import { markAcross, markDown } from './mark-rules.ts';
import type { RuledLine } from './ruled-lines.ts';

/**
 * The page's own print where rules of the other side cross it: as dark as those are nowhere. It was taken for the rules, and taken out with
 * them.
 * @param mask 1 for every pixel of a rule.
 * @param ownFrames without the rules that shine through.
 * @param darkness how dark the other side is at most, 255 less its level.
 * @returns 1 for every pixel of such print.
 */
export function printOverForeignRules(
  page: Raster,
  mask: Uint8Array,
  frames: readonly Frame[],
  ownFrames: readonly Frame[],
  darkness: number,
): Uint8Array {
  const own = new Set(ownFrames.flatMap(({ horizontal, vertical }) => [...horizontal, ...vertical]));
  const isForeign = (rule: RuledLine) => !own.has(rule);
  const across = new Uint8Array(mask.length);
  const down = new Uint8Array(mask.length);
  const ofThisSide = new Uint8Array(mask.length);
  for (const { horizontal, vertical } of frames) {
    for (const rule of horizontal.filter(isForeign)) markAcross(rule, page, across);
    for (const rule of vertical.filter(isForeign)) markDown(rule, page, down);
  }
  for (const { horizontal, vertical } of ownFrames) {
    for (const rule of horizontal) markAcross(rule, page, ofThisSide);
    for (const rule of vertical) markDown(rule, page, ofThisSide);
  }
  const limit = 255 - darkness;
  // Where two rules of the other side cross they are darker than either.
  return mask.map((bit, i) => Number(bit && across[i] !== down[i] && !ofThisSide[i] && page.pixels[i]! <= limit));
}
