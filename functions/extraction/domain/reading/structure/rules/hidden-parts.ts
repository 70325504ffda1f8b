import { medianOf } from '../../../median.ts';
import type { Frame } from '../tables/stacked-grids.ts';
import { AT_RULE, endsAtPlace } from './rule-ends.ts';
import type { RuledLine } from './ruled-lines.ts';

/** Minimum number of neighbouring rules that show where a rule begins. */
const MIN_BESIDE = 2;

/**
 * A form's rules end at other rules. If a rule down the page ends in the middle of a cell, the rest is hidden by print on it, or was
 * removed with a rule of the other side along it: the rest is added, as far as neighbouring rules with the same end go.
 * @param frame without the rules of the other side.
 */
export function withHiddenParts({ horizontal, vertical }: Frame, letterHeight: number): Frame {
  const slack = AT_RULE * letterHeight;
  const isFree = (rule: RuledLine, end: number) => !horizontal.some((row) => endsAtPlace(rule, end, row, slack));
  const hidden = vertical.flatMap((rule) => {
    const startsFree = isFree(rule, rule.from);
    if (startsFree === isFree(rule, rule.to)) return [];
    const [free, tied] = startsFree ? (['from', 'to'] as const) : (['to', 'from'] as const);
    const beside = vertical.filter((other) => other !== rule && Math.abs(other[tied] - rule[tied]) <= slack);
    const end = commonEnd(
      beside.map((other) => other[free]),
      slack,
    );
    if (end === null) return [];
    const part = startsFree ? { ...rule, from: end, to: rule.from } : { ...rule, from: rule.to, to: end };
    return part.to > part.from ? [part] : [];
  });
  return { horizontal, vertical: [...vertical, ...hidden] };
}

/** Where most of some rules end; null where too few of them end together. */
function commonEnd(ends: readonly number[], slack: number): number | null {
  const usual = medianOf(ends);
  const together = ends.filter((end) => Math.abs(end - usual) <= slack);
  return together.length >= MIN_BESIDE && 2 * together.length > ends.length ? usual : null;
}
