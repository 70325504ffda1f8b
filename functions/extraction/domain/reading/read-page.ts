import { medianOf } from '../median.ts';
import type { LineRecogniser } from './line-recogniser.ts';
import { cellsOf } from './lines-of-cells.ts';
import { toBox, toExtent, toPiece } from './print-places.ts';
import type { Raster } from './raster.ts';
import { cutPrint, readCuts } from './read-cuts.ts';
import { joinReadings } from './reading-parts.ts';
import { cutLine } from './structure/cells/cell-lines.ts';
import { withStruckNumber } from './structure/cells/struck-numbers.ts';
import type { PageStructure } from './structure/find-tables.ts';
import type { Component } from './structure/ink/components.ts';
import { contains, type GridCell, type GridTable } from './structure/tables/grid.ts';
import type { Box, PageReading, ReadCell, Reading, ReadLine, ReadTable, ReadText } from './table-reader.ts';
import { around, textsOutside, wholeLines } from './texts-outside.ts';
import { unreadDigits } from './unread-digits.ts';

/** In pixels: a frame this close to the picture's edge continues beyond it; the same for a grid and its pane. */
const EDGE = 2;
/** In letter heights: how far below the last row the next one may start. */
const NEXT_ROW = 2.5;
/** In letter heights. */
const MAX_LETTER = 2;
/** In heights of a table's rows: white at its end that would show the next row's print. */
const WHITE_ROW = 1.25;
const CODE = /\d{7}/;
const NUMBER = /^\d[\d.,]*$/;

export type ReadStructure = Pick<PageReading, 'tables' | 'texts' | 'cut' | 'page'>;

/**
 * Recognises every cell with ink in an upright page's tables, and the lines around the tables.
 * @param structure null where the page has too few letters.
 */
export async function readPage(
  page: Raster,
  recogniser: LineRecogniser,
  structure: PageStructure | null,
): Promise<ReadStructure> {
  if (!structure) return { tables: [], texts: [], page: { width: page.width, height: page.height } };
  return readStructure(page, structure, recogniser);
}

/** Recognises what a page's structure says is there; everything goes to the recogniser in one call, which batches it. */
export async function readStructure(
  page: Raster,
  structure: PageStructure,
  recogniser: LineRecogniser,
): Promise<ReadStructure> {
  const size = { width: page.width, height: page.height };
  const cells = structure.tables.flatMap((table) => cellsOf(table, structure));
  const places = cells.flatMap(({ lines }) => lines);
  const width = sum(places.map(({ left, right }) => right - left)) / structure.letterHeight;
  const { texts, left } = textsOutside(structure, width);
  const cuts = [
    ...cells.flatMap(({ lines, box }) => lines.map((line) => cutPrint(line, box, structure))),
    ...texts.map((line) => cutPrint(line, around(line), structure)),
    ...cells.flatMap(({ lines, box }) =>
      lines.flatMap(({ pieces }) => pieces.map((piece) => cutPrint(piece, box, structure))),
    ),
  ];
  const readings = await readCuts(cuts, recogniser);

  let next = 0;
  let nextPiece = places.length + texts.length;
  const readCells = new Map<GridTable, CellPlace[]>();
  for (const { table, box, lines } of cells) {
    const read = lines.map((line): ReadLine => {
      const pieces = line.pieces.map((piece) => toPiece(readings[nextPiece++]!, piece));
      const whole = toPiece(readings[next++]!, line);
      return pieces.length > 0 ? { ...whole, pieces } : whole;
    });
    const shown = lines.at(-1)?.struck ? withStruckNumber(read.slice(0, -1), read.at(-1)!) : read;
    const list = readCells.get(table) ?? [];
    readCells.set(table, list);
    list.push({ ...placeOf(box), lines: shown });
  }
  const outside = texts.map((line, index) => toPiece(readings[next + index]!, line));
  const lines = [...readCells.values()].flat().flatMap((cell) => cell.lines);
  const alone = lines.filter(({ pieces }) => !pieces);
  const cut = ({ box }: ReadText) => cutLine(toExtent(box), around(toExtent(box)), structure);
  const digits = await unreadDigits<ReadText>([...alone, ...outside], cut, recogniser);
  const withDigit = <Place extends ReadText>(place: Place): Place => {
    const digit = digits.get(place);
    return digit ? { ...place, ...digit, numeral: digit } : place;
  };
  const tables = structure.tables.map((table) => {
    const cells = (readCells.get(table) ?? []).map((cell) => cellOf({ ...cell, lines: cell.lines.map(withDigit) }));
    return toReadTable(table, cells, structure, page);
  });
  return {
    tables,
    texts: await wholeLines(outside.map(withDigit), structure, recogniser),
    cut: [...cutLetters(structure, page), ...left.map(toBox)],
    page: size,
  };
}

interface CellPlace extends Pick<ReadCell, 'row' | 'column' | 'rowSpan' | 'columnSpan' | 'box'> {
  readonly lines: readonly ReadLine[];
}

function placeOf(box: GridCell): Omit<CellPlace, 'lines'> {
  return { row: box.row, column: box.column, rowSpan: box.rowSpan, columnSpan: box.columnSpan, box: toBox(box) };
}

function cellOf({ lines, ...place }: CellPlace): ReadCell {
  return {
    ...place,
    blank: lines.length === 0,
    // Korean wraps in the middle of a word: lines are put together without a blank.
    text: joinReadings(lines),
    numeral: joinNumerals(lines.flatMap(({ numeral }) => numeral ?? [])),
    lines,
    ...(lines.some(({ crossed }) => crossed) ? { crossed: true } : {}),
  };
}

/** A number never wraps: a cell of several lines has no numeral unless one line alone reads as one. */
function joinNumerals(parts: readonly Reading[]): Reading | null {
  const read = parts.filter(({ text }) => /\d/.test(text));
  return read.length === 1 ? read[0]! : null;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function toReadTable(table: GridTable, cells: readonly ReadCell[], structure: PageStructure, page: Raster): ReadTable {
  const bounded = !isCut(table, cells, structure, page);
  return { box: toBox(table), rowCount: table.rowCount, columnCount: table.columnCount, cells, bounded };
}

/** A row cut by the picture's edge, with letters below the table or inside; or a frame that stays open, and may hold more rows beyond. */
function isCut(table: GridTable, cells: readonly ReadCell[], structure: PageStructure, page: Raster): boolean {
  const reach = NEXT_ROW * structure.letterHeight;
  const isOpen =
    (table.top <= EDGE && !startsWithHeader(cells)) ||
    (table.bottom >= page.height - EDGE && !endsInWhite(table, cells, structure));
  const isNear = ({ y, height }: Box) => (y > 1 ? y < table.bottom + reach : y + height > table.top - reach);
  const isInColumns = ({ x, width }: Box) => x > table.left && x + width < table.right;
  return isOpen || cutLetters(structure, page).some((box) => isNear(box) && isInColumns(box));
}

/** Whether the first row with print is a header: the others have codes, or several numbers. */
function startsWithHeader(cells: readonly ReadCell[]): boolean {
  const inked = cells.filter(({ blank }) => !blank);
  const first = Math.min(...inked.map(({ row }) => row));
  const texts = inked.filter(({ row }) => row === first).map(({ text }) => text.text);
  return !texts.some((text) => CODE.test(text)) && texts.filter((text) => NUMBER.test(text)).length < 2;
}

/** Whether the lowest row with print is followed by more white than a row is high: the list ends there, though its frame continues. */
function endsInWhite(table: GridTable, cells: readonly ReadCell[], { letterHeight, words }: PageStructure): boolean {
  const inked = cells.filter(({ blank }) => !blank);
  const rowHeight = medianOf(inked.filter(({ rowSpan }) => rowSpan === 1).map(({ box }) => box.height));
  const inside = words.filter((word) => contains(table, word));
  const white = table.bottom - Math.max(...inside.map(({ bottom }) => bottom));
  return white >= NEXT_ROW * letterHeight && white + letterHeight >= WHITE_ROW * rowHeight;
}

/** Letters that the upper or the lower edge of the picture cuts; taller ink there is a shadow, or the edge of the desk. */
function cutLetters({ components, letterHeight }: PageStructure, { height }: Raster): readonly Box[] {
  const isLetter = ({ top, bottom }: Component) => bottom - top <= MAX_LETTER * letterHeight;
  return components.filter((part) => (part.top <= 1 || part.bottom >= height - 1) && isLetter(part)).map(toBox);
}
