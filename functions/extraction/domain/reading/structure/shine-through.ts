import { middleOf, positionAt } from './grid.ts';
import type { RuledLine } from './ruled-lines.ts';
import type { Frame } from './stacked-grids.ts';

/** Part of the ink of a frame's own rules that those of the paper's other side have at most. */
const PALE = 0.65;
/** Rules, by length, that have no more ink than the frame's own. */
const OWN_SHARE = 0.75;
/** In pixels. */
const HAIRLINE_SPREAD = 2;
/** In letter heights: how near to another rule one ends that ends at it. */
const SLACK = 0.4;
/** Fewer pale rules that cross dark ones are no grid of the other side. */
const MIN_CROSSING = 3;
/** Fewer dark rules in either direction frame nothing. */
const MIN_OWN = 2;

/**
 * A frame without the rules that shine through from the paper's other side: much paler than the others, crossing them and
 * ending anywhere. Pale rules between rows or columns end where others of their frame do; a pale grid beside dark rules
 * crosses none of them.
 */
export function withoutShineThrough(frame: Frame, letterHeight: number): Frame {
  const rules = [...frame.horizontal, ...frame.vertical];
  const limit = PALE * ownInk(rules);
  const isPale = (rule: RuledLine) => (inkOf(rule) ?? limit) < limit;
  const dark = {
    horizontal: frame.horizontal.filter((rule) => !isPale(rule)),
    vertical: frame.vertical.filter((rule) => !isPale(rule)),
  };
  const pale = rules.filter(isPale);
  if (pale.length === 0 || dark.horizontal.length < MIN_OWN || dark.vertical.length < MIN_OWN) return frame;
  const slack = SLACK * letterHeight;
  const across = new Set(frame.horizontal);
  const left = pale.filter((rule) => !endsAtOthers(rule, across.has(rule), dark, slack));
  const crossing = (rule: RuledLine) => rules.filter((other) => across.has(other) !== across.has(rule));
  const foreign = new Set(
    left.filter((rule) => crossing(rule).some((other) => !left.includes(other) && touch(rule, other, -slack))),
  );
  if (foreign.size < MIN_CROSSING) return frame;
  for (let before = -1; before !== foreign.size; ) {
    before = foreign.size;
    for (const rule of left)
      if (crossing(rule).some((other) => foreign.has(other) && touch(rule, other, slack))) foreign.add(rule);
  }
  return {
    horizontal: frame.horizontal.filter((rule) => !foreign.has(rule)),
    vertical: frame.vertical.filter((rule) => !foreign.has(rule)),
  };
}

/** How much ink a rule has across: a hairline that falls between two rows of pixels is twice as broad and half as dark. */
function inkOf({ darkness, thickness }: RuledLine): number | null {
  return darkness === undefined ? null : darkness * Math.min(Math.max(thickness, 1), HAIRLINE_SPREAD);
}

function ownInk(rules: readonly RuledLine[]): number {
  const known = rules
    .map((rule) => ({ length: rule.to - rule.from, ink: inkOf(rule) }))
    .filter((rule): rule is { length: number; ink: number } => rule.ink !== null)
    .sort((a, b) => a.ink - b.ink);
  let left = OWN_SHARE * known.reduce((sum, { length }) => sum + length, 0);
  for (const { length, ink } of known) {
    left -= length;
    if (left <= 0) return ink;
  }
  return 0;
}

/** Whether both ends lie on dark rules, or where those of a dark rule beside it lie. */
function endsAtOthers(rule: RuledLine, isAcross: boolean, dark: Frame, slack: number): boolean {
  const [beside, crossing] = isAcross ? [dark.horizontal, dark.vertical] : [dark.vertical, dark.horizontal];
  const meets = (end: number) => {
    const at = positionAt(rule, end);
    return crossing.some(
      (other) => Math.abs(positionAt(other, at) - end) <= slack && at >= other.from - slack && at <= other.to + slack,
    );
  };
  const isLevel = ({ from, to }: RuledLine) => Math.abs(from - rule.from) <= slack && Math.abs(to - rule.to) <= slack;
  return (meets(rule.from) && meets(rule.to)) || beside.some(isLevel);
}

/** Where two rules that run in different directions meet, along either. */
function meeting(a: RuledLine, b: RuledLine): readonly [number, number] {
  const alongA = positionAt(b, positionAt(a, middleOf(a)));
  return [alongA, positionAt(a, alongA)];
}

/** Whether they meet; with a negative slack, whether both go on beyond that place. */
function touch(a: RuledLine, b: RuledLine, slack: number): boolean {
  const [alongA, alongB] = meeting(a, b);
  return alongA >= a.from - slack && alongA <= a.to + slack && alongB >= b.from - slack && alongB <= b.to + slack;
}
