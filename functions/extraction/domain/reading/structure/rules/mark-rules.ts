import type { Raster } from '../../raster.ts';
import { positionAt } from '../tables/grid.ts';
import type { RuledLine } from './ruled-lines.ts';

/** In pixels beyond half its thickness: maximum offset from a straight line that bending paper gives a rule. */
const BEND = 2;

/** Of a page, in pixels. */
type Size = Pick<Raster, 'width' | 'height'>;

/** Marks with 1 the pixels that may be of a rule down the page. @param marks of the page's pixels. */
export function markDown(rule: RuledLine, { width, height }: Size, marks: Uint8Array): void {
  for (let y = Math.max(0, Math.floor(rule.from)); y < Math.min(height, rule.to); y++) {
    const [left, right] = reachOf(rule, y, width);
    marks.fill(1, y * width + left, y * width + right + 1);
  }
}

/** The first and the last pixel across a rule that may be of it, at a place along it. */
function reachOf(rule: RuledLine, place: number, end: number): readonly [number, number] {
  const at = positionAt(rule, place);
  const reach = rule.thickness / 2 + BEND;
  return [Math.max(0, Math.round(at - reach)), Math.min(end - 1, Math.round(at + reach))];
}
