import type { Raster } from '../../raster.ts';
import { positionAt } from '../tables/grid.ts';
import type { RuledLine } from './ruled-lines.ts';

/** In pixels beyond half its thickness: maximum offset from a straight line that bending paper gives a rule. */
const BEND = 2;

/** Of a page, in pixels. */
type Size = Pick<Raster, 'width' | 'height'>;

/** Marks with 1 what may be of a rule across the page. @param marks of the page's pixels. */
export function markAcross(rule: RuledLine, { width, height }: Size, marks: Uint8Array): void {
  for (let x = Math.max(0, Math.floor(rule.from)); x < Math.min(width, rule.to); x++) {
    const [top, bottom] = reachOf(rule, x, height);
    for (let y = top; y <= bottom; y++) marks[y * width + x] = 1;
  }
}

/** The same for a rule down the page. */
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
