import { middleOf, positionAt } from '../tables/grid.ts';
import type { RuledLine, Span } from './ruled-lines.ts';

/** In pixels, from the edge of a thick rule: rows and columns end before a frame, not in the middle of its stroke. */
const EDGE = 3;

/** In letter heights: how near to another rule one ends that ends at it. */
export const AT_RULE = 0.4;

/** Whether two rules of one direction begin and end at the same places. */
export function isAsLong(a: Span, b: Span, slack: number): boolean {
  return Math.abs(a.from - b.from) <= slack && Math.abs(a.to - b.to) <= slack;
}

/** Whether both ends lie on rules that cross it, or at their edges. */
export function endsAt(rule: RuledLine, crossing: readonly RuledLine[], slack: number): boolean {
  return [rule.from, rule.to].every((end) =>
    crossing.some((other) => endsAtPlace(rule, end, other, slack, Math.max(slack, other.thickness / 2 + EDGE))),
  );
}

/** Whether a rule that crosses another passes one of its ends. @param near how far from it, along the rule. */
export function endsAtPlace(rule: RuledLine, end: number, other: RuledLine, slack: number, near = slack): boolean {
  const at = positionAt(rule, end);
  return Math.abs(positionAt(other, at) - end) <= near && at >= other.from - slack && at <= other.to + slack;
}

/** Where two rules that run in different directions meet, along either. */
function meeting(a: RuledLine, b: RuledLine): readonly [number, number] {
  const alongA = positionAt(b, positionAt(a, middleOf(a)));
  return [alongA, positionAt(a, alongA)];
}

/** Whether they meet; with a negative slack, whether both extend beyond that place. */
export function touch(a: RuledLine, b: RuledLine, slack: number): boolean {
  const [alongA, alongB] = meeting(a, b);
  return alongA >= a.from - slack && alongA <= a.to + slack && alongB >= b.from - slack && alongB <= b.to + slack;
}
