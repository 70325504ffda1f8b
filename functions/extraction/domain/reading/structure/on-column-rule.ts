import type { PageStructure } from './find-tables.ts';
import type { Extent } from './grid.ts';
import { PRINT } from './ink.ts';
import type { Span } from './ruled-lines.ts';

/** In letter heights: how near to print a rule lies that may share strokes with it, and how far it is looked along. */
const REACH = 0.2;
const ALONG = 2;
/** Part of the print's rows in which the rule beside it is thicker than elsewhere. */
const MIN_SHARED = 0.4;

/**
 * Print that stands on a rule down the page, on its left or on its right, with as much of the rule as it may share: the stroke of a
 * digit that lies along the rule goes with it, and what is left of a 0 may look like a 3. The rule is thicker there than above and
 * below. Null where print stands clear of such rules.
 */
export function printOnColumnRule(print: Extent, structure: PageStructure): Extent | null {
  const left = sharedRule(print, Math.round(print.left), structure);
  const right = sharedRule(print, Math.round(print.right), structure);
  if (!left && !right) return null;
  return {
    ...print,
    left: Math.min(print.left, left?.from ?? print.left),
    right: Math.max(print.right, right?.to ?? print.right),
  };
}

/** From the left to the right edge of a rule that lies along an edge of print; null where it is nowhere thicker for it. */
function sharedRule({ top, bottom }: Extent, edge: number, { ruled, letterHeight }: PageStructure): Span | null {
  const runs = (from: number, to: number) => {
    const found: (Span | null)[] = [];
    for (let y = Math.max(0, Math.round(from)); y < Math.min(ruled.page.height, Math.round(to)); y++)
      found.push(darkRun(y, edge, ruled, letterHeight));
    return found;
  };
  const inside = runs(top, bottom);
  const around = [...runs(top - ALONG * letterHeight, top), ...runs(bottom, bottom + ALONG * letterHeight)]
    .flatMap((run) => (run ? [lengthOf(run)] : []))
    .sort((a, b) => a - b);
  const usual = around[around.length >> 2];
  if (usual === undefined) return null;
  const shared = inside.filter((run) => run !== null && lengthOf(run) > usual) as readonly Span[];
  if (shared.length < MIN_SHARED * inside.length) return null;
  return { from: Math.min(...shared.map(({ from }) => from)), to: Math.max(...shared.map(({ to }) => to)) };
}

function lengthOf({ from, to }: Span): number {
  return to - from;
}

/** Dark pixels side by side in one row that the rule near an edge of print is among; null where none lies near. */
function darkRun(y: number, edge: number, { page, mask }: PageStructure['ruled'], letterHeight: number): Span | null {
  const row = y * page.width;
  const reach = Math.max(2, Math.round(REACH * letterHeight));
  const isDark = (x: number) => x >= 0 && x < page.width && page.pixels[row + x]! < PRINT;
  let rule = edge - reach;
  while (rule <= edge + reach && !(mask[row + rule] && isDark(rule))) rule++;
  if (rule > edge + reach) return null;
  let [from, to] = [rule, rule + 1];
  while (isDark(from - 1) && to - from < letterHeight) from--;
  while (isDark(to) && to - from < letterHeight) to++;
  return { from, to };
}
