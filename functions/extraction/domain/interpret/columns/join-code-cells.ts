import { joinReadings } from '../../reading/reading-parts.ts';
import type { ReadCell, ReadTable } from '../../reading/table-reader.ts';
import { codeOfLine } from '../codes/code-line.ts';
import { Grid } from '../grid.ts';
import { hullOf, linesOf } from '../print.ts';

/** Cells of other columns that must reach over both: one alone may be a label over several fields of a form. */
const MIN_SPANS = 2;

/**
 * A rule may separate a code from the name above or below it while their numbers are in cells as high as both: one drug, so the cells are
 * joined into one of two lines.
 */
export function joinCodeCells(table: ReadTable): ReadTable {
  const grid = new Grid(table);
  const joined = new Map<ReadCell, ReadCell>();
  for (const upper of table.cells) {
    const lower = grid.at(upper.row + upper.rowSpan, upper.column);
    if (!lower || lower.columnSpan !== upper.columnSpan || joined.has(upper)) continue;
    if (!areCodeAndName(upper, lower) || spansBeside(upper, lower, table) < MIN_SPANS) continue;
    const both = joinCells(upper, lower);
    joined.set(upper, both).set(lower, both);
  }
  if (joined.size === 0) return table;
  return { ...table, cells: [...new Set(table.cells.map((cell) => joined.get(cell) ?? cell))] };
}

function areCodeAndName(a: ReadCell, b: ReadCell): boolean {
  const isName = ({ text: { text } }: ReadCell) => /\p{L}{2}/u.test(text);
  const isCode = ({ text }: ReadCell) => codeOfLine(text) !== null;
  return (isCode(a) && isName(b)) || (isName(a) && isCode(b));
}

function spansBeside(upper: ReadCell, lower: ReadCell, { cells }: ReadTable): number {
  const rowSpan = upper.rowSpan + lower.rowSpan;
  return cells.filter((cell) => cell.row === upper.row && cell.rowSpan === rowSpan && !cell.blank).length;
}

function joinCells(upper: ReadCell, lower: ReadCell): ReadCell {
  return {
    ...upper,
    rowSpan: upper.rowSpan + lower.rowSpan,
    box: hullOf([upper.box, lower.box]),
    text: joinReadings([upper.text, lower.text], ' '),
    numeral: null,
    ...((upper.crossed || lower.crossed) && { crossed: true }),
    lines: [...linesOf(upper), ...linesOf(lower)],
  };
}
