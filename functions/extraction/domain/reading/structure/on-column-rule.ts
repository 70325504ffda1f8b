import type { PageStructure } from './find-tables.ts';
import type { Extent } from './grid.ts';
import { PRINT } from './ink.ts';

/** In letter heights: how near to print a rule lies that may share strokes with it, and how far it is looked along. */
const REACH = 0.2;
const ALONG = 2;
/** Part of the print's rows in which the rule beside it is thicker than elsewhere. */
const MIN_SHARED = 0.4;

/**
 * Whether print stands on a rule down the page, on its left or on its right: the stroke of a digit that lies along the rule goes with it,
 * and what is left of a 0 may look like a 3. The rule is thicker there than above and below.
 */
export function standsOnColumnRule(print: Extent, structure: PageStructure): boolean {
  return [print.left, print.right].some((edge) => sharesRule(print, Math.round(edge), structure));
}

function sharesRule({ top, bottom }: Extent, edge: number, { ruled, letterHeight }: PageStructure): boolean {
  const thickness = (from: number, to: number) => {
    const found: number[] = [];
    for (let y = Math.max(0, Math.round(from)); y < Math.min(ruled.page.height, Math.round(to)); y++)
      found.push(thicknessAt(y, edge, ruled, letterHeight));
    return found;
  };
  const inside = thickness(top, bottom);
  const around = [...thickness(top - ALONG * letterHeight, top), ...thickness(bottom, bottom + ALONG * letterHeight)]
    .filter((pixels) => pixels > 0)
    .sort((a, b) => a - b);
  const usual = around[around.length >> 2];
  if (usual === undefined) return false;
  return inside.filter((pixels) => pixels > usual).length >= MIN_SHARED * inside.length;
}

/** Dark pixels side by side in one row that the rule near an edge of print is among; 0 where none lies near. */
function thicknessAt(y: number, edge: number, { page, mask }: PageStructure['ruled'], letterHeight: number): number {
  const row = y * page.width;
  const reach = Math.max(2, Math.round(REACH * letterHeight));
  const isDark = (x: number) => x >= 0 && x < page.width && page.pixels[row + x]! < PRINT;
  let rule = edge - reach;
  while (rule <= edge + reach && !(mask[row + rule] && isDark(rule))) rule++;
  if (rule > edge + reach) return 0;
  let [from, to] = [rule, rule + 1];
  while (isDark(from - 1) && to - from < letterHeight) from--;
  while (isDark(to) && to - from < letterHeight) to++;
  return to - from;
}
