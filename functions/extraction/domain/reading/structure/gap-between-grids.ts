import type { RuledLine } from './ruled-lines.ts';

/** Rules that end before a gap, and that begin behind it: fewer are no grid. */
const MIN_RULES = 3;
/** In letter heights: how far before and behind the gap, since bars to scroll by stand in it. */
const REACH = 4;
/** Rules that run on over the gap, as a part of the fewer that end at it: sides of a window that holds both grids. */
const MAX_PASSING = 0.34;

/** Where rules that run in one direction end, and others begin behind a gap: a place in the gap; null where there is none. */
export function gapBetweenGrids(rules: readonly RuledLine[], letterHeight: number): number | null {
  const reach = REACH * letterHeight;
  let [best, gap]: [number, number | null] = [0, null];
  for (const end of new Set(rules.map(({ to }) => to))) {
    const ending = rules.filter(({ to }) => to > end - reach && to <= end);
    const beginning = rules.filter(({ from }) => from > end && from < end + reach);
    const passing = rules.filter(({ from, to }) => from <= end && to > end);
    const fewer = Math.min(ending.length, beginning.length);
    if (fewer < MIN_RULES || passing.length > MAX_PASSING * fewer || fewer <= best) continue;
    [best, gap] = [fewer, (end + Math.min(...beginning.map(({ from }) => from))) / 2];
  }
  return gap;
}
