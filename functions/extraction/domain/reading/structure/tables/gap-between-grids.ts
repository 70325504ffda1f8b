import type { RuledLine, Span } from '../rules/ruled-line.ts';

/** Rules that end before a gap, and that start behind it: fewer are not a grid. */
const MIN_RULES = 3;
/** In letter heights: reach before and behind the gap, which may contain scroll bars. */
const REACH = 4;
/** Rules that run on over the gap, as a part of the fewer that end at it: sides of a window that holds both grids. */
const MAX_PASSING = 0.34;

/**
 * Where rules that run in one direction end, and others start behind a gap: the gap; null where there is none.
 * @param maxPassing of the rules, as a part of the fewer that end at it.
 */
export function gapBetweenGrids(
  rules: readonly Span[],
  letterHeight: number,
  widest = REACH,
  maxPassing = MAX_PASSING,
): Span | null {
  const reach = widest * letterHeight;
  let [best, gap]: [number, Span | null] = [0, null];
  for (const end of new Set(rules.map(({ to }) => to))) {
    const ending = rules.filter(({ to }) => to > end - reach && to <= end);
    const beginning = rules.filter(({ from }) => from > end && from < end + reach);
    const passing = rules.filter(({ from, to }) => from <= end && to > end);
    const fewer = Math.min(ending.length, beginning.length);
    if (fewer < MIN_RULES || passing.length > maxPassing * fewer || fewer <= best) continue;
    [best, gap] = [fewer, { from: end, to: Math.min(...beginning.map(({ from }) => from)) }];
  }
  return gap;
}

/** A rule's pieces: level rows of two grids may have been found as one rule. */
export function piecesOf({ from, to, breaks = [] }: RuledLine): readonly Span[] {
  const gaps = [...breaks].sort((a, b) => a.from - b.from);
  return [...gaps, { from: to, to }].map((gap, index) => ({ from: gaps[index - 1]?.to ?? from, to: gap.from }));
}

/** The rest of a rule between two places; a break may end it sooner. */
export function cut(rule: RuledLine, from: number, to: number): RuledLine {
  return { ...rule, from, to, breaks: rule.breaks?.filter((gap) => gap.from > from && gap.to < to) ?? [] };
}
