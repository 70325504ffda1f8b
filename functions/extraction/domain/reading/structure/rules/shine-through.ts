import { middleOf, positionAt } from '../tables/grid.ts';
import type { Frame } from '../tables/stacked-grids.ts';
import { alikeInKind, inkOfMost, OWN_SHARE } from './kinds-of-rules.ts';
import { AT_RULE, endsAt, isAsLong, touch } from './rule-ends.ts';
import type { RuledLine } from './ruled-lines.ts';

/** Part of the ink of a frame's own rules that those of the paper's other side have at most. */
const PALE = 0.65;
/** In pixels. */
const HAIRLINE_SPREAD = 2;
/** Fewer pale rules that cross dark ones are no grid of the other side. */
export const MIN_CROSSING = 3;
/** Maximum ink of the other side's rules, relative to the frame's own, without other evidence. */
const CLEARLY_PALE = 0.5;
/** Part of the ink of a frame's own rules that one or two stray ones have at most: a form draws its rules alike. */
const FAINT = 0.25;
const MAX_STRAY = 2;
/** Fewer dark rules in either direction frame nothing. */
const MIN_OWN = 2;

/**
 * A frame without the rules that shine through from the other side: much paler than the others, crossing them and ending anywhere. Pale
 * rules between rows or columns end where others of their frame end; a pale grid next to dark rules crosses none of them.
 */
export function withoutShineThrough(frame: Frame, letterHeight: number): Frame {
  const foreign = foreignRules(frame, letterHeight);
  if (foreign.size === 0) return frame;
  return {
    horizontal: frame.horizontal.filter((rule) => !foreign.has(rule)),
    vertical: frame.vertical.filter((rule) => !foreign.has(rule)),
  };
}

/** Rules of the other side: all of them if enough cross the frame's own rules, otherwise one or two faint ones. */
function foreignRules(frame: Frame, letterHeight: number): ReadonlySet<RuledLine> {
  const rules = [...frame.horizontal, ...frame.vertical];
  const own = inkOfMost(rules, OWN_SHARE, estimatedInk) ?? 0;
  const limit = PALE * own;
  const isPale = (rule: RuledLine) => (estimatedInk(rule) ?? limit) < limit;
  const dark = {
    horizontal: frame.horizontal.filter((rule) => !isPale(rule)),
    vertical: frame.vertical.filter((rule) => !isPale(rule)),
  };
  const pale = rules.filter(isPale);
  if (pale.length === 0 || dark.horizontal.length < MIN_OWN || dark.vertical.length < MIN_OWN) return new Set();
  const slack = AT_RULE * letterHeight;
  const across = new Set(frame.horizontal);
  const left = foreignEnds(pale, across, dark, slack);
  const crossing = (rule: RuledLine) => rules.filter((other) => across.has(other) !== across.has(rule));
  const foreign = new Set(
    left.filter((rule) => crossing(rule).some((other) => !left.includes(other) && touch(rule, other, -slack))),
  );
  if (foreign.size < MIN_CROSSING) {
    const stray = pale.filter((rule) => estimatedInk(rule)! < FAINT * own && !isLevel(rule, across, dark, slack));
    return new Set(stray.length <= MAX_STRAY ? stray : []);
  }
  for (let before = -1; before !== foreign.size; ) {
    before = foreign.size;
    for (const rule of left)
      if (crossing(rule).some((other) => foreign.has(other) && touch(rule, other, slack))) foreign.add(rule);
  }
  // If the other side is clearly paler, a rule as pale as its rules belongs to it, even if it ends at the frame's own by chance.
  const asPale = Math.max(...[...foreign].map((rule) => estimatedInk(rule) ?? 0));
  if (asPale <= CLEARLY_PALE * own)
    for (const rule of pale)
      if ((estimatedInk(rule) ?? limit) <= asPale && !isLevel(rule, across, dark, slack)) foreign.add(rule);
  return alikeInKind(frame, foreign, slack);
}

/** How much ink a rule has across: a hairline that falls between two rows of pixels is twice as broad and half as dark. */
function estimatedInk({ darkness, thickness }: RuledLine): number | null {
  return darkness === undefined ? null : darkness * Math.min(Math.max(thickness, 1), HAIRLINE_SPREAD);
}

/** Pale rules that end neither at the frame's own, dark or pale, nor at the level where a neighbouring dark rule's crossings end. */
function foreignEnds(
  pale: readonly RuledLine[],
  across: ReadonlySet<RuledLine>,
  dark: Frame,
  slack: number,
): readonly RuledLine[] {
  const own = { horizontal: [...dark.horizontal], vertical: [...dark.vertical] };
  const take = (rule: RuledLine) => (across.has(rule) ? own.horizontal : own.vertical).push(rule);
  const hasTwin = (rule: RuledLine) =>
    (across.has(rule) ? dark.horizontal : dark.vertical).some((other) => isAsLong(rule, other, slack));
  let left = pale.filter((rule) => !hasTwin(rule));
  for (const rule of pale) if (!left.includes(rule)) take(rule);
  // In dark frames the rows of a pale grid end at the frames, and its columns at its rows.
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    const ending = left.filter((rule) => endsAt(rule, across.has(rule) ? own.vertical : own.horizontal, slack));
    for (const rule of ending) take(rule);
    left = left.filter((rule) => !ending.includes(rule));
  }
  return left;
}

/** Whether the next dark rule on one of its sides begins and ends where it does. */
function isLevel(rule: RuledLine, across: ReadonlySet<RuledLine>, dark: Frame, slack: number): boolean {
  const at = positionAt(rule, middleOf(rule));
  const distances = (across.has(rule) ? dark.horizontal : dark.vertical)
    .filter((other) => other.from < rule.to && other.to > rule.from)
    .map((other) => ({ other, distance: positionAt(other, middleOf(rule)) - at }))
    .sort((a, b) => Math.abs(a.distance) - Math.abs(b.distance));
  const beside = [distances.find(({ distance }) => distance < 0), distances.find(({ distance }) => distance >= 0)];
  return beside.some((next) => next && isAsLong(rule, next.other, slack));
}
