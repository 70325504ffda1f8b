import { hasCompanyPrefix } from '../../master/drug-code.ts';
import { medianOf } from '../../median.ts';
import type { ReadCell, ReadTable, ReadText } from '../../reading/table-reader.ts';
import { splitCodeAndName } from '../codes/code-and-name.ts';
import { isNextPart } from './list-marks.ts';

/** In rows: how far below a table its continuation starts at most, with a line of text between them. */
const MAX_GAP = 2;
/** In row heights: maximum offset between a column's borders in the two tables. */
const OFF_BORDER = 0.5;
/** Borders within the tables that agree: fewer say nothing. */
const MIN_BORDERS = 3;
/** A line of text may precede the first row of drugs. */
const FIRST_ROWS = 2;

/**
 * A form may split its list: injections are in separate rows below it, in the same columns and without a header. Such a table is read as
 * the end of the one above.
 * @param texts lines outside of the tables: the title of the part may be one.
 */
export function joinContinued(tables: readonly ReadTable[], texts: readonly ReadText[]): readonly ReadTable[] {
  const joined: ReadTable[] = [];
  for (const table of tables) {
    let columns: ReadonlyMap<number, number> | null = null;
    const at = joined.findIndex((above) => {
      columns = columnsAbove(above, table);
      return columns !== null;
    });
    const above = joined[at];
    if (above === undefined || columns === null) joined.push(table);
    else joined[at] = joinBelow(above, table, columns, titleBetween(above, table, texts));
  }
  return joined;
}

/** By the columns of a table in which the cells of its first drug start, the columns of the one above whose borders they are; null where it continues none. */
function columnsAbove(above: ReadTable, below: ReadTable): ReadonlyMap<number, number> | null {
  const drug = below.cells.find(({ row, text }) => row < FIRST_ROWS && startsWithCode(text.text))?.row;
  if (drug === undefined) return null;
  const first = below.cells.filter(({ row }) => row === drug).sort((a, b) => a.column - b.column);
  const height = medianOf(first.map(({ box }) => box.height));
  const gap = below.box.y - above.box.y - above.box.height;
  if (gap < -height || gap > MAX_GAP * height) return null;
  const lowest = new Map<number, ReadCell>();
  for (const cell of above.cells) if (cell.row >= (lowest.get(cell.column)?.row ?? 0)) lowest.set(cell.column, cell);
  const borders = [...lowest.values()];
  // The frame's own side may lean.
  const columns = new Map([[first[0]!.column, 0]]);
  for (const { column, box } of first.slice(1)) {
    const off = ({ box: { x } }: ReadCell) => Math.abs(x - box.x);
    const nearest = borders.reduce((best, each) => (off(each) < off(best) ? each : best));
    if (nearest.column > 0 && off(nearest) < OFF_BORDER * height) columns.set(column, nearest.column);
    else if (box.width > height) return null;
  }
  return columns.size > MIN_BORDERS && new Set(columns.values()).size === columns.size ? columns : null;
}

function startsWithCode(text: string): boolean {
  return hasCompanyPrefix(splitCodeAndName({ text, confidence: 1 })?.code.text ?? '');
}

function titleBetween(above: ReadTable, below: ReadTable, texts: readonly ReadText[]): ReadText | undefined {
  const [top, bottom] = [above.box.y + above.box.height, below.box.y];
  return texts.find(({ text, box }) => {
    const middle = box.y + box.height / 2;
    return middle > top && middle < bottom && isNextPart(text);
  });
}

function joinBelow(
  above: ReadTable,
  below: ReadTable,
  columns: ReadonlyMap<number, number>,
  title: ReadText | undefined,
): ReadTable {
  const { columnCount } = above;
  const left = Math.min(above.box.x, below.box.x);
  const right = Math.max(above.box.x + above.box.width, below.box.x + below.box.width);
  const titled = title ? [titleRow(title, above)] : [];
  const firstRow = above.rowCount + titled.length;
  const starts = [...columns.keys()].sort((a, b) => a - b);
  const cells = below.cells.flatMap((cell): readonly ReadCell[] => {
    const column = columns.get(cell.column);
    if (column === undefined) return [];
    const next = starts.find((start) => start >= cell.column + cell.columnSpan);
    const end = next === undefined ? columnCount : columns.get(next)!;
    return [{ ...cell, row: cell.row + firstRow, column, columnSpan: Math.max(1, end - column) }];
  });
  return {
    box: { x: left, y: above.box.y, width: right - left, height: below.box.y + below.box.height - above.box.y },
    rowCount: firstRow + below.rowCount,
    columnCount,
    cells: [...above.cells, ...titled, ...cells],
    bounded: above.bounded && below.bounded,
  };
}

function titleRow({ box, ...text }: ReadText, { rowCount, columnCount }: ReadTable): ReadCell {
  return { row: rowCount, column: 0, rowSpan: 1, columnSpan: columnCount, box, blank: false, text, numeral: null };
}
