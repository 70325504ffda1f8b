import type { Box, ReadCell, ReadLine, ReadTable } from '../reading/table-reader.ts';
import { centerY } from './print.ts';

/** A number, perhaps with its unit. */
const NUMBER = /^\d[\d.,]*\s?\p{L}{0,3}$/u;
const MIN_LINES = 2;

/**
 * Where the rules between the rows of one column were not seen, its numbers stand below each other in one cell that is as high as several rows:
 * each goes to the row that it stands in, as if read so.
 */
export function splitTallCells(table: ReadTable): ReadTable {
  const bands = new Map<number, Box>();
  for (const { row, rowSpan, box } of table.cells) if (rowSpan === 1) bands.set(row, bands.get(row) ?? box);
  const cells = table.cells.flatMap((cell) => partsByRow(cell, bands) ?? [cell]);
  return cells.length === table.cells.length ? table : { ...table, cells };
}

/** A cell of each row that the lines stand in; null where they are no numbers, or two of them stand in one row. */
function partsByRow(cell: ReadCell, bands: ReadonlyMap<number, Box>): readonly ReadCell[] | null {
  const { row, rowSpan, columnSpan, lines = [] } = cell;
  if (rowSpan < 2 || columnSpan > 1 || lines.length < MIN_LINES || !lines.every(({ text }) => NUMBER.test(text)))
    return null;
  const rowOf = (line: ReadLine) => {
    for (let at = row; at < row + rowSpan; at++) {
      const band = bands.get(at);
      if (band && centerY(line.box) >= band.y && centerY(line.box) < band.y + band.height) return at;
    }
    return null;
  };
  const rows = lines.map(rowOf);
  if (rows.includes(null) || new Set(rows).size < rows.length) return null;
  return lines.map((line, index) => {
    const { y, height } = bands.get(rows[index]!)!;
    const { text, confidence, letters, rivals } = line;
    const read = { text, confidence, ...(letters && { letters }), ...(rivals && { rivals }) };
    const box = { ...cell.box, y, height };
    return { ...cell, row: rows[index]!, rowSpan: 1, box, text: read, numeral: line.numeral, lines: [line] };
  });
}
