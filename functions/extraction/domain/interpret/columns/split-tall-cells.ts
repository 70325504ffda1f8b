import { medianOf } from '../../median.ts';
import { joinReadings } from '../../reading/reading-parts.ts';
import type { ReadCell, ReadLine, ReadTable } from '../../reading/table-reader.ts';
import { showsCode } from '../codes/shows-code.ts';
import { isLevel, linesOf } from '../print.ts';

/** A number, perhaps with its unit. */
const NUMBER = /^\d[\d.,]*\s?\p{L}{0,3}$/u;
const MIN_LINES = 2;

/**
 * If the rules between the rows of one column were missed, its numbers, or its codes with their names, are stacked in one cell as high as
 * several rows: each moves to the row whose other print is level with it.
 */
export function splitTallCells(table: ReadTable): ReadTable {
  const cells = table.cells.flatMap((cell) => partsByRow(cell, table) ?? [cell]);
  return cells.length === table.cells.length ? table : { ...table, cells };
}

/** One cell per row that the lines belong to; null if they are neither numbers nor codes, or some line is not the only one of a row. */
function partsByRow(cell: ReadCell, table: ReadTable): readonly ReadCell[] | null {
  const { row, rowSpan, columnSpan, lines = [] } = cell;
  if (rowSpan < 2 || columnSpan > 1 || lines.length < MIN_LINES || !areOneEach(lines)) return null;
  const beside = table.cells.filter(
    (other) => other.rowSpan === 1 && other.row >= row && other.row < row + rowSpan && !other.blank,
  );
  const own = lines.map((line) => rowOf(beside.filter((other) => standsLevel(other, line))));
  if (own.includes(null) || new Set(own).size < own.length) return null;
  return lines.map((line, index) => {
    const { y, height } = beside.find((other) => other.row === own[index])!.box;
    const box = { ...cell.box, y, height };
    return {
      ...cell,
      row: own[index]!,
      rowSpan: 1,
      box,
      text: joinReadings([line]),
      numeral: line.numeral,
      lines: [line],
    };
  });
}

/** Whether all are numbers, or all codes but perhaps the first, their header. */
function areOneEach(lines: readonly ReadLine[]): boolean {
  const below = lines.slice(1);
  return lines.every(({ text }) => NUMBER.test(text)) || (below.length >= MIN_LINES && below.every(showsCode));
}

/** The row that most of the cells are in; null where none is, or as many are in others. */
function rowOf(cells: readonly ReadCell[]): number | null {
  const row = medianOf(cells.map((cell) => cell.row));
  return cells.filter((cell) => cell.row === row).length * 2 > cells.length ? row : null;
}

/** Whether a cell prints one line, level with another. */
function standsLevel(cell: ReadCell, line: ReadLine): boolean {
  const [own, ...others] = linesOf(cell);
  return own !== undefined && others.length === 0 && isLevel(own.box, line.box);
}
