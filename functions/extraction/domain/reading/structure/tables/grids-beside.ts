import type { RuledLine, Span } from '../rules/ruled-line.ts';
import { cut, gapBetweenGrids, piecesOf } from './gap-between-grids.ts';
import { middleOf, positionAt } from './grid.ts';
import type { Frame } from './stacked-grids.ts';

/** Splits a frame into side-by-side grids: rows end on one side of a gap, and others start behind it. */
export function splitGridsBeside(frame: Frame, letterHeight: number): readonly Frame[] {
  const between = gapBetweenGrids(frame.horizontal, letterHeight) ?? gapBetweenSides(frame, letterHeight);
  if (between === null) return [frame];
  const gap = middleOf(between);
  const half = (from: number, to: number): Frame => ({
    horizontal: frame.horizontal
      .map((rule) => cut(rule, Math.max(rule.from, from), Math.min(rule.to, to)))
      .filter(({ from: start, to: end }) => end - start > letterHeight),
    vertical: frame.vertical.filter((rule) => across(rule) > from && across(rule) < to),
  });
  return [half(Number.NEGATIVE_INFINITY, gap), half(gap, Number.POSITIVE_INFINITY)]
    .filter(({ vertical }) => vertical.length >= MIN_SIDES)
    .flatMap((part) => splitGridsBeside(part, letterHeight));
}

/** In letter heights: scroll bars and a grid's title may be between two sides. */
const WIDEST_GAP = 6;
/** Part of the height of the grids along which one side of a gap is seen, and along which the other is. */
const SIDES = [0.5, 0.3] as const;
/** Rules that pass a gap, broken there or not, as a part of the fewer that end at it. */
const MAX_BROKEN = 0.9;
/** Minimum distance of two sides, in pixels. */
const APART = 4;

/**
 * A gap that row rules of both grids cross only because they are level: each is broken there, between the grids' sides, one of which a
 * scroll bar may hide; further rules that end there by themselves are as good evidence.
 */
function gapBetweenSides({ horizontal, vertical }: Frame, letterHeight: number): Span | null {
  const gap = gapBetweenGrids(horizontal.flatMap(piecesOf), letterHeight, WIDEST_GAP);
  if (gap === null) return null;
  if (gapBetweenGrids(horizontal, letterHeight, WIDEST_GAP, MAX_BROKEN)?.from === gap.from) return gap;
  const heights = horizontal.map((rule) => positionAt(rule, gap.from));
  const height = Math.max(...heights) - Math.min(...heights);
  const near = vertical.filter((rule) => {
    return across(rule) >= gap.from - letterHeight && across(rule) <= gap.to + letterHeight;
  });
  const longest = near.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a), near[0]!);
  const isThatSide = (rule: RuledLine) => Math.abs(across(rule) - across(longest)) < APART;
  const seen = [near.filter(isThatSide), near.filter((rule) => !isThatSide(rule))].map((side) =>
    side.reduce((sum, { from, to }) => sum + to - from, 0),
  );
  return SIDES.every((share, side) => seen[side]! >= share * height) ? gap : null;
}

/** A grid has two. */
const MIN_SIDES = 2;

function across(rule: RuledLine): number {
  return positionAt(rule, middleOf(rule));
}
