import { middleOf, positionAt } from '../tables/grid.ts';
import type { Frame } from '../tables/stacked-grids.ts';
import type { RuledLine } from './ruled-line.ts';

/** In letter heights: how near to another rule one ends that ends at it. */
const AT_RULE = 0.4;
/** Minimum number of columns that end together at a filled row. */
const MIN_COLUMNS = 3;
/** Maximum number of rows with hidden rules, including the row below them. */
const MAX_ROWS = 4;
/** Part of a row's height by which rows of a program differ. */
const UNEVEN = 0.1;

/**
 * Programs fill the selected row with a colour that hides its rules, and leave column rules in the next row or two too short to be found.
 * If all columns of a grid end at no row, but the next row's rule continues the last one's pattern a whole number of rows below, the
 * columns are extended to it and the rows in between are added.
 */
export function withHighlightedRows({ horizontal, vertical }: Frame, letterHeight: number): Frame {
  const slack = AT_RULE * letterHeight;
  const isNear = (a: number, b: number) => Math.abs(a - b) <= slack;
  const added: { horizontal: RuledLine[]; vertical: RuledLine[] } = { horizontal: [], vertical: [] };
  const taken = new Set<RuledLine>();
  for (const column of vertical) {
    if (taken.has(column)) continue;
    const end = column.to;
    const columns = vertical.filter((other) => isNear(other.to, end));
    for (const each of columns) taken.add(each);
    if (columns.length < MIN_COLUMNS) continue;
    const [left, right] = [Math.min(...columns.map(({ at }) => at)), Math.max(...columns.map(({ at }) => at))];
    const rows = horizontal
      .filter(({ from, to }) => from <= left + slack && to >= right - slack)
      .map((rule) => ({ rule, at: positionAt(rule, middleOf(rule)) }))
      .sort((a, b) => a.at - b.at);
    const [before, last] = rows.filter(({ at }) => at < end + slack).slice(-2);
    const next = rows.find(({ at }) => at >= end + slack);
    if (!before || !last || !next || isNear(last.at, end)) continue;
    if (!isNear(last.rule.from, next.rule.from) || !isNear(last.rule.to, next.rule.to)) continue;
    const height = last.at - before.at;
    const count = Math.round((next.at - last.at) / height);
    if (count < 2 || count > MAX_ROWS || Math.abs(next.at - last.at - count * height) > UNEVEN * height) continue;
    added.vertical.push(...columns.map((rule) => ({ ...rule, from: end, to: next.at })));
    for (let row = 1; row < count; row++)
      added.horizontal.push({ ...last.rule, at: last.rule.at + row * ((next.at - last.at) / count) });
  }
  return { horizontal: [...horizontal, ...added.horizontal], vertical: [...vertical, ...added.vertical] };
}
