import { gapBetweenGrids } from './gap-between-grids.ts';
import { middleOf, positionAt } from './grid.ts';
import type { RuledLine } from './ruled-lines.ts';
import type { Frame } from './stacked-grids.ts';

/** Parts a frame into the grids that stand side by side in it: rows end on one side of a gap, and others begin behind it. */
export function splitGridsBeside(frame: Frame, letterHeight: number): readonly Frame[] {
  const gap = gapBetweenGrids(frame.horizontal, letterHeight);
  if (gap === null) return [frame];
  const half = (from: number, to: number): Frame => ({
    horizontal: frame.horizontal
      .map((rule) => ({ ...rule, from: Math.max(rule.from, from), to: Math.min(rule.to, to) }))
      .filter(({ from: start, to: end }) => end - start > letterHeight),
    vertical: frame.vertical.filter((rule) => across(rule) > from && across(rule) < to),
  });
  return [half(Number.NEGATIVE_INFINITY, gap), half(gap, Number.POSITIVE_INFINITY)]
    .filter(({ vertical }) => vertical.length >= MIN_SIDES)
    .flatMap((part) => splitGridsBeside(part, letterHeight));
}

/** A grid has two. */
const MIN_SIDES = 2;

function across(rule: RuledLine): number {
  return positionAt(rule, middleOf(rule));
}
