import type { RuledLine } from '../rules/ruled-line.ts';
import { cut, gapBetweenGrids, piecesOf } from './gap-between-grids.ts';
import { middleOf, positionAt } from './grid.ts';

/** Lines that meet, directly or by others. */
export interface Frame {
  readonly horizontal: readonly RuledLine[];
  readonly vertical: readonly RuledLine[];
}

/** A vertical rule of at least this part of the frame's height is a side of the framed area, not of a grid in it. */
const SIDE = 0.6;
/** Share of a grid's columns that continue in the next; above it both are one grid, with a row in between that spans all columns. */
const SAME_COLUMNS = 0.5;
/** Fewer column rules do not form a separate grid. */
const MIN_RULES = 2;
/** In letter heights: no row of print fits into less. */
const MAX_WHITE = 1.2;

interface Band {
  top: number;
  bottom: number;
  rules: RuledLine[];
}

/**
 * Splits a frame into stacked grids with different columns: where column rules end and others start elsewhere. Rows between two grids
 * stay with the upper one.
 */
export function splitStackedGrids(frame: Frame, letterHeight: number): readonly Frame[] {
  const white = gapBetweenGrids(frame.vertical.flatMap(piecesOf), letterHeight, MAX_WHITE, 0);
  if (white === null) return splitFramedGrids(frame, letterHeight);
  const isAbove = (line: RuledLine) => positionAt(line, middleOf(line)) < middleOf(white);
  const above = {
    horizontal: frame.horizontal.filter(isAbove),
    vertical: frame.vertical
      .filter(({ from }) => from < white.from)
      .map((line) => cut(line, line.from, Math.min(line.to, white.from))),
  };
  const below = {
    horizontal: frame.horizontal.filter((line) => !isAbove(line)),
    vertical: frame.vertical
      .filter(({ to }) => to > white.to)
      .map((line) => cut(line, Math.max(line.from, white.to), line.to)),
  };
  return [above, below].flatMap((part) => splitStackedGrids(part, letterHeight));
}

function splitFramedGrids(frame: Frame, letterHeight: number): readonly Frame[] {
  const top = Math.min(...frame.vertical.map(({ from }) => from));
  const bottom = Math.max(...frame.vertical.map(({ to }) => to));
  const inner = frame.vertical.filter(({ from, to }) => to - from < SIDE * (bottom - top));
  // Columns that run through the whole frame: one grid.
  if (frame.vertical.length - inner.length > inner.length) return [frame];
  const slack = 0.5 * letterHeight;
  const bands = joinSame(bandsOf(cutAtGap(inner, letterHeight), slack), slack).filter(
    ({ rules }) => rules.length >= MIN_RULES,
  );
  if (bands.length < 2) return [frame];
  const sides = frame.vertical.filter((line) => !inner.includes(line));
  return bands.map((band, index) => {
    const from = index === 0 ? top : band.top;
    const to = bands[index + 1]?.top ?? bottom;
    const clip = (line: RuledLine) => ({ ...line, from: Math.max(line.from, from), to: Math.min(line.to, to) });
    const within = (line: RuledLine) => {
      const y = positionAt(line, middleOf(line));
      return y >= from - slack && y <= to + slack;
    };
    return {
      horizontal: frame.horizontal.filter(within),
      vertical: [
        ...frame.vertical.filter((line) => inner.includes(line) && line.from < to - slack && line.to > from + slack),
        ...sides.filter((line) => line.from < to && line.to > from),
      ].map(clip),
    };
  });
}

/** Rules that continue over a gap at which most others end, or are broken, belong to two grids, one right below the other. */
function cutAtGap(rules: readonly RuledLine[], letterHeight: number): readonly RuledLine[] {
  const between = gapBetweenGrids(rules.flatMap(piecesOf), letterHeight);
  if (between === null) return rules;
  const gap = middleOf(between);
  const above = rules.filter(({ from }) => from < gap).map((rule) => cut(rule, rule.from, Math.min(rule.to, gap)));
  const below = rules.filter(({ to }) => to > gap).map((rule) => cut(rule, Math.max(rule.from, gap), rule.to));
  return [...cutAtGap(above, letterHeight), ...cutAtGap(below, letterHeight)];
}

/** Neighbouring rules, from top to bottom. */
function bandsOf(rules: readonly RuledLine[], slack: number): readonly Band[] {
  const bands: Band[] = [];
  for (const rule of [...rules].sort((a, b) => a.from - b.from)) {
    const band = bands.at(-1);
    if (band && rule.from < band.bottom - slack) {
      band.bottom = Math.max(band.bottom, rule.to);
      band.rules.push(rule);
    } else bands.push({ top: rule.from, bottom: rule.to, rules: [rule] });
  }
  return bands;
}

function joinSame(bands: readonly Band[], slack: number): readonly Band[] {
  const joined: Band[] = [];
  for (const band of bands) {
    const above = joined.at(-1);
    if (above && sharedColumns(above, band, slack) >= SAME_COLUMNS) {
      above.bottom = Math.max(above.bottom, band.bottom);
      above.rules.push(...band.rules);
    } else joined.push({ ...band, rules: [...band.rules] });
  }
  return joined;
}

/** Part of the smaller band's rules that are where the other has one. */
function sharedColumns(a: Band, b: Band, slack: number): number {
  const at = (band: Band) => band.rules.map((rule) => positionAt(rule, middleOf(rule)));
  const [xs, others] = [at(a), at(b)];
  const [fewer, more] = xs.length < others.length ? [xs, others] : [others, xs];
  return fewer.filter((x) => more.some((other) => Math.abs(other - x) <= slack)).length / fewer.length;
}
