import { joinReadings } from '../../reading/reading-parts.ts';
import type { ReadCell, ReadTable } from '../../reading/table-reader.ts';
import { isNextPart, isPartEnd } from './list-marks.ts';

/** A table without the phrases that close a list, and without the rows below them, up to the next part's title. */
export function withoutPartEnds(table: ReadTable): ReadTable {
  const ends = table.cells.filter((cell) => !cell.blank && linesAbove(cell) !== null);
  if (ends.length === 0) return table;
  const titles = table.cells.filter(({ blank, text }) => !blank && isNextPart(text.text)).map(({ row }) => row);
  const isClosed = (row: number) =>
    ends.some((end) => row >= closedFrom(end) && !titles.some((title) => title > end.row && title <= row));
  const cells = table.cells.map((cell) => {
    if (isClosed(cell.row)) return blankCell(cell);
    return ends.includes(cell) ? upToEnd(cell) : cell;
  });
  return { ...table, cells };
}

/** The row itself, unless the phrase's cell has lines of the list above it. */
function closedFrom(end: ReadCell): number {
  return linesAbove(end) === 0 ? end.row : end.row + end.rowSpan;
}

/** Number of a cell's lines above the phrase; null without a phrase. */
function linesAbove({ lines, text }: ReadCell): number | null {
  const at = lines ? lines.findIndex((line) => isPartEnd(line.text)) : isPartEnd(text.text) ? 0 : -1;
  return at < 0 ? null : at;
}

function upToEnd(cell: ReadCell): ReadCell {
  const lines = (cell.lines ?? []).slice(0, linesAbove(cell) ?? undefined);
  return { ...cell, lines, text: joinReadings(lines) };
}

function blankCell(cell: ReadCell): ReadCell {
  return { ...cell, blank: true, text: { text: '', confidence: 1 }, numeral: null, lines: [] };
}
