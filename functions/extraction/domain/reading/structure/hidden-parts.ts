import { medianOf } from '../../median.ts';
import { positionAt } from './grid.ts';
import { endsAtPlace } from './rule-ends.ts';
import type { RuledLine } from './ruled-lines.ts';
import type { Frame } from './stacked-grids.ts';

/** In letter heights: how near to another rule one ends that ends at it, and how near two lie that are seen as one. */
const SLACK = 0.4;
/** So many rules beside it say where a rule begins. */
const MIN_BESIDE = 2;

/**
 * Where a rule of the other side runs along one of the page's own, both are traced as one that begins or ends elsewhere, and what is left of
 * the own rule ends in the middle of a cell. Adds the rest of it: as far as rules beside it go that end with it.
 * @param frame with the rules of both sides.
 * @param own the same without those of the other side.
 */
export function withHiddenParts(own: Frame, frame: Frame, letterHeight: number): Frame {
  const slack = SLACK * letterHeight;
  return {
    horizontal: [...own.horizontal, ...hiddenParts(own.horizontal, frame.horizontal, own.vertical, slack)],
    vertical: [...own.vertical, ...hiddenParts(own.vertical, frame.vertical, own.horizontal, slack)],
  };
}

function hiddenParts(
  own: readonly RuledLine[],
  all: readonly RuledLine[],
  crossing: readonly RuledLine[],
  slack: number,
): readonly RuledLine[] {
  const foreign = all.filter((rule) => !own.includes(rule));
  return own.flatMap((rule) => {
    const [startsFree, endsFree] = [rule.from, rule.to].map(
      (end) => !crossing.some((other) => endsAtPlace(rule, end, other, slack)),
    );
    if (startsFree === endsFree) return [];
    const [free, tied] = startsFree ? (['from', 'to'] as const) : (['to', 'from'] as const);
    const beside = own.filter((other) => other !== rule && Math.abs(other[tied] - rule[tied]) <= slack);
    const end = commonEnd(
      beside.map((other) => other[free]),
      slack,
    );
    if (end === null) return [];
    const part = startsFree ? { ...rule, from: end, to: rule.from } : { ...rule, from: rule.to, to: end };
    const isHidden = foreign.some((other) => {
      const isAlong = Math.abs(positionAt(other, rule[free]) - positionAt(rule, rule[free])) <= slack;
      return isAlong && other.from <= part.from + slack && other.to >= part.to - slack;
    });
    return part.to > part.from && isHidden ? [part] : [];
  });
}

/** Where most of some rules end; null where too few of them end together. */
function commonEnd(ends: readonly number[], slack: number): number | null {
  const usual = medianOf(ends);
  const together = ends.filter((end) => Math.abs(end - usual) <= slack);
  return together.length >= MIN_BESIDE && 2 * together.length > ends.length ? usual : null;
}
