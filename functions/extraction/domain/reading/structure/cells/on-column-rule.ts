import type { Raster } from '../../raster.ts';
import type { PageStructure } from '../find-tables.ts';
import { PRINT } from '../ink/ink.ts';
import type { Span } from '../rules/ruled-line.ts';
import type { Extent } from '../tables/grid.ts';

/** In letter heights: how near to print a rule lies that may share strokes with it, and how far it is looked along. */
const REACH = 0.2;
const ALONG = 2;
/** Part of the print's rows in which the adjacent rule has more ink than elsewhere. */
const MIN_SHARED = 0.4;
/** By how many levels of gray, summed across the rule: a quarter of a black pixel, and a fifth of a broad rule. */
const MORE_INK = { levels: 64, share: 0.2 };

/**
 * Print that touches a rule down the page, on either side, with as much of the rule as it may share: a digit's stroke along the rule is
 * removed with it, so that a remaining 0 may look like a 3. The rule has more ink there than above and below, whether thin and gray or
 * broad and black. A rule that runs through the print may share a stroke of any letter. Null if no such rule is near.
 */
export function printOnColumnRule(print: Extent, structure: PageStructure): Extent | null {
  const left = sharedRule(print, Math.round(print.left), structure);
  const right = sharedRule(print, Math.round(print.right), structure);
  if (!left && !right) return isCrossedByRule(print, structure) ? print : null;
  return {
    ...print,
    left: Math.min(print.left, left?.from ?? print.left),
    right: Math.max(print.right, right?.to ?? print.right),
  };
}

function isCrossedByRule(print: Extent, structure: PageStructure): boolean {
  const { page, mask } = structure.ruled;
  const reach = reachOf(structure.letterHeight);
  const around = rowsAround(print, structure);
  const [above, below] = [around[0], around.at(-1)];
  if (above === undefined || below === undefined) return false;
  for (let x = Math.round(print.left) + reach; x < print.right - reach; x++) {
    const mayBeRule = mask[above * page.width + x] || mask[below * page.width + x];
    if (mayBeRule && ruleWithin(x, x, around, structure.ruled) && sharedRule(print, x, structure)) return true;
  }
  return false;
}

function reachOf(letterHeight: number): number {
  return Math.max(2, Math.round(REACH * letterHeight));
}

function rowsAround({ top, bottom }: Extent, { ruled, letterHeight }: PageStructure): readonly number[] {
  const { height } = ruled.page;
  const [first, last] = [Math.max(0, Math.round(top)), Math.min(height, Math.round(bottom))];
  const beyond = Math.round(ALONG * letterHeight);
  return [...rowsOf(first - beyond, first, height), ...rowsOf(last, last + beyond, height)];
}

/** From the left to the right edge of a rule that lies along an edge of print, and of the strokes on it; null where it has nowhere more ink for them. */
function sharedRule(print: Extent, edge: number, structure: PageStructure): Span | null {
  const { ruled, letterHeight } = structure;
  const { page } = ruled;
  const [first, last] = [Math.max(0, Math.round(print.top)), Math.min(page.height, Math.round(print.bottom))];
  const around = rowsAround(print, structure);
  const reach = reachOf(letterHeight);
  const rule = ruleWithin(edge - reach, edge + reach, around, ruled);
  if (rule === null) return null;
  // Includes the adjacent pixels, where strokes along the rule are visible.
  const inkIn = (y: number) => {
    let ink = 0;
    for (let x = Math.max(0, rule.from - 1); x <= rule.to; x++) ink += 255 - page.pixels[y * page.width + x]!;
    return ink;
  };
  // The lower quartile: print of the lines above and below may touch the rule too.
  const inks = around.filter((y) => ruled.mask[y * page.width + rule.from]).map(inkIn);
  const usual = inks.sort((a, b) => a - b)[inks.length >> 2]!;
  const enough = usual + Math.max(MORE_INK.levels, MORE_INK.share * usual);
  const shared = rowsOf(first, last, page.height).filter((y) => inkIn(y) > enough);
  if (shared.length < MIN_SHARED * (last - first)) return null;
  const strokes = shared.map((y) => withStrokes(rule, y, page, letterHeight));
  return { from: Math.min(...strokes.map(({ from }) => from)), to: Math.max(...strokes.map(({ to }) => to)) };
}

function rowsOf(from: number, to: number, height: number): readonly number[] {
  const first = Math.max(0, from);
  return Array.from({ length: Math.max(0, Math.min(to, height) - first) }, (_, n) => first + n);
}

/** The columns that a rule has, in most of the rows, between two others; null where none runs there. */
function ruleWithin(
  from: number,
  to: number,
  rows: readonly number[],
  { page, mask }: PageStructure['ruled'],
): Span | null {
  const isRule = (x: number) =>
    x >= 0 && x < page.width && rows.filter((y) => mask[y * page.width + x]).length > rows.length / 2;
  let first = from;
  while (first <= to && !isRule(first)) first++;
  if (first > to) return null;
  let [start, end] = [first, first + 1];
  while (isRule(start - 1)) start--;
  while (isRule(end)) end++;
  return { from: start, to: end };
}

/** The rule with the adjacent dark pixels in one row. */
function withStrokes(rule: Span, y: number, page: Raster, letterHeight: number): Span {
  const isDark = (x: number) => x >= 0 && x < page.width && page.pixels[y * page.width + x]! < PRINT;
  let { from, to } = rule;
  while (isDark(from - 1) && rule.from - from < letterHeight) from--;
  while (isDark(to) && to - rule.to < letterHeight) to++;
  return { from, to };
}
