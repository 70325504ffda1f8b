import { medianOf } from '../../../median.ts';
import { middleOf, positionAt } from '../tables/grid.ts';
import type { Frame } from '../tables/stacked-grids.ts';
import { endsAtPlace, isAsLong } from './rule-ends.ts';
import type { RuledLine } from './ruled-lines.ts';

/** In pixels: rules that are drawn to one place end no farther apart. */
const EXACT = 3;
/** Part of all rules, by their length, that have no more ink than the page's own: those of the other side are paler, and thick frames are few. */
export const OWN_SHARE = 0.75;
/** The same share among the rules that count as the other side's. */
const USUAL = 0.5;
/** Part of that ink that the other side's rules have at most. */
const MAX_SHARE_OF_INK = 0.8;
/** Rules of the other side that end at its frame: their minimum number, and their minimum share of all that end there. */
const ENDING = { min: 3, share: 0.5 };
/** Of the ink of the page's own rules, what thin ones among them have at most. */
const THIN = 1.3;
/** Rules of the other side where a whole page of it shines through, and columns as pale that look like the page's own. */
const MANY = 15;
const FEW = 2;
/** Part of a grid's rules that begin and end at others of it. */
const CLOSED = 0.8;
/** Part of the rules that are taken for the other side's, by their length, that are known to be, where they outweigh the page's own. */
const MOSTLY_KNOWN = 0.5;
/** As a multiple of the slack at rule ends: row rules of the page run on to rules of the other side close to its frame. */
const OVERSHOOT = 2;
/** In pixels, by which the distances of evenly spaced rules differ. */
const UNEVEN = 2;
/** More rules than any form has are a pattern, which would take too long to go through. */
const MAX_RULES = 500;

/**
 * Completes the other side's rules once some are known: rules that begin and end together belong to one side, and the typical ink of most
 * decides which. Other rules as pale are the page's own if both ends lie on own rules and neighbouring own rules lead to them.
 * @param known rules of the other side.
 * @param slack distance in pixels within which a rule ends at another one.
 * @returns these and more; these alone if they have nearly as much ink as the page's own, would be most of all rules next to no grid, or
 * form a pattern.
 */
export function alikeInKind(frame: Frame, known: ReadonlySet<RuledLine>, slack: number): ReadonlySet<RuledLine> {
  const { horizontal, vertical } = frame;
  if (horizontal.length + vertical.length > MAX_RULES) return known;
  const rows = new Set(horizontal);
  const along = (rule: RuledLine) => (rows.has(rule) ? horizontal : vertical);
  const endsAmong = (rule: RuledLine, others: ReadonlySet<RuledLine>) => endsOn(rule, along(rule), frame, others);
  const rules = [...horizontal, ...vertical].filter((rule) => !known.has(rule));
  const ownInk = inkOfMost([...horizontal, ...vertical], OWN_SHARE);
  if (ownInk === null) return known;
  const isDark = ({ ink }: RuledLine) => (ink ?? ownInk) >= ownInk;
  const dark = new Set(rules.filter(isDark));
  // One that ends at a dark rule may be a thin one of the page's own.
  const stray = [...known].filter((rule) => endsAmong(rule, dark) === 0);
  const usual = inkOfMost(stray, USUAL);
  if (usual === null || usual > MAX_SHARE_OF_INK * ownInk) return known;
  const limit = (usual + ownInk) / 2;
  const kindOf = (rule: RuledLine) => along(rule).filter((other) => isAsLong(rule, other, EXACT));
  const own = new Set(
    rules.filter((rule) => isDark(rule) || medianOf(kindOf(rule).flatMap(({ ink }) => ink ?? [])) >= limit),
  );
  // The other side's frame is as dark as thin rules of this one, and ends at none of its rules.
  const isThin = ({ ink }: RuledLine) => (ink ?? ownInk) <= THIN * ownInk;
  for (const side of own)
    if (
      isThin(side) &&
      endsAmong(side, own) === 0 &&
      isFrameOfOthers(side, rows.has(side) ? vertical : horizontal, own)
    )
      own.delete(side);
  takeWhile(own, rules, (rule) => {
    const beside = along(rule).filter((other) => own.has(other));
    return !own.has(rule) && (endsAmong(rule, own) === 2 || isNext(rule, beside, slack));
  });
  const foreign = new Set([...known, ...rules.filter((rule) => !own.has(rule))]);
  takeWhile(foreign, rules, (rule) => {
    if (foreign.has(rule) || isDark(rule) || endsAmong(rule, foreign) === 0) return false;
    return endsAmong(rule, new Set(rules.filter((other) => !foreign.has(other)))) === 0;
  });
  const stayed = rules.filter((rule) => !foreign.has(rule));
  const pale = stayed.filter((rule) => !rows.has(rule) && (rule.ink ?? ownInk) < limit);
  // Next to a whole page of the other side's rules, one or two columns as pale end at the page's own rows by chance. Among rows, a false
  // rule does less harm than a lost one.
  if (foreign.size >= MANY && pale.length <= FEW) for (const rule of pale) foreign.add(rule);
  const left = new Set(stayed.filter((rule) => !foreign.has(rule)));
  // Pale rules that outweigh all others are the page's own, and dark ones among them its frames, unless these make a grid by themselves, or most of
  // the pale ones are known to be the other side's.
  const closed = [...left].filter((rule) => endsAmong(rule, left) === 2);
  const isOther =
    lengthOf([...foreign]) < lengthOf([...left]) ||
    closed.length >= CLOSED * left.size ||
    lengthOf([...known]) >= MOSTLY_KNOWN * lengthOf([...foreign]);
  return isOther ? foreign : known;
}

function lengthOf(rules: readonly RuledLine[]): number {
  return rules.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Takes rules for as long as those that were taken lead to others. */
function takeWhile(taken: Set<RuledLine>, rules: readonly RuledLine[], leadsTo: (rule: RuledLine) => boolean): void {
  for (let before = -1; before !== taken.size; ) {
    before = taken.size;
    for (const rule of rules) if (leadsTo(rule)) taken.add(rule);
  }
}

/** How many of its two ends lie on some of the rules that cross it. */
function endsOn(
  rule: RuledLine,
  along: readonly RuledLine[],
  { horizontal, vertical }: Frame,
  others: ReadonlySet<RuledLine>,
): number {
  const across = along === horizontal ? vertical : horizontal;
  return [rule.from, rule.to].filter((end) =>
    across.some((other) => others.has(other) && endsAtPlace(rule, end, other, EXACT)),
  ).length;
}

/** Whether most rules that end at one are the other side's. */
function isFrameOfOthers(side: RuledLine, across: readonly RuledLine[], own: ReadonlySet<RuledLine>): boolean {
  const ending = across.filter((rule) => [rule.from, rule.to].some((end) => endsAtPlace(rule, end, side, EXACT)));
  const others = ending.filter((rule) => !own.has(rule));
  return others.length >= ENDING.min && others.length > ENDING.share * ending.length;
}

/** The ink that a share of the rules, by their length, does not surpass; null where that of none is known. */
export function inkOfMost(
  rules: readonly RuledLine[],
  share: number,
  inkOf: (rule: RuledLine) => number | null | undefined = ({ ink }) => ink,
): number | null {
  const known = rules
    .map((rule) => ({ ink: inkOf(rule), length: rule.to - rule.from }))
    .filter((rule): rule is { ink: number; length: number } => typeof rule.ink === 'number')
    .sort((a, b) => a.ink - b.ink);
  let left = share * known.reduce((sum, { length }) => sum + length, 0);
  for (const { ink, length } of known) {
    left -= length;
    if (left <= 0) return ink;
  }
  return null;
}

/** Whether a rule is about as long as the next two on one of its sides, and as far from them as they are from each other. */
function isNext(rule: RuledLine, own: readonly RuledLine[], slack: number): boolean {
  const distances = own
    .filter((other) => isAsLong(rule, other, OVERSHOOT * slack))
    .map((other) => positionAt(other, middleOf(rule)) - positionAt(rule, middleOf(rule)))
    .sort((a, b) => Math.abs(a) - Math.abs(b));
  return [distances.filter((distance) => distance < 0), distances.filter((distance) => distance > 0)].some(
    ([first, second]) => first !== undefined && second !== undefined && Math.abs(second - 2 * first) <= UNEVEN,
  );
}
