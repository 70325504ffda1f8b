import type { LineImage, LineReading, LineRecogniser } from './line-recogniser.ts';
import { lookAgain } from './look-again.ts';
import { withWholeCodes } from './odd-codes.ts';
import type { Raster } from './raster.ts';
import { doubtedReading, joinReadings } from './reading-parts.ts';
import { cutLine, cutUnderMarks, linesIn, piecesOf } from './structure/cells/cell-lines.ts';
import { columnBeginnings, fromBeginning } from './structure/cells/column-beginnings.ts';
import { withoutFoundTwice } from './structure/cells/found-twice.ts';
import { printOnColumnRule } from './structure/cells/on-column-rule.ts';
import { cutOnRule, isCutOff, mayHaveLostPoint, wholePrint } from './structure/cells/print-on-rules.ts';
import { struckNumbers, withStruckNumber } from './structure/cells/struck-numbers.ts';
import { findTables, type PageStructure } from './structure/find-tables.ts';
import { alongStrokes, isArc, isCrossed, isForeign, isMarked } from './structure/ink/foreign-ink.ts';
import {
  areaOf,
  columnOf,
  contains,
  type Extent,
  type GridCell,
  type GridTable,
  hullOf,
  sharedArea,
} from './structure/tables/grid.ts';
import { findTextRows } from './structure/tables/text-rows.ts';
import { readingOnColumnRule, surerReading } from './surer-reading.ts';
import type { Box, PageReading, ReadCell, Reading, ReadLine, ReadPiece, ReadTable, ReadText } from './table-reader.ts';
import { withUnreadDigits } from './unread-digits.ts';

/**
 * Limit of all second readings together, in line heights: a few seconds of a core. A form that prints every row on a rule needs half of
 * it.
 */
const MAX_SECOND_LENGTH = 1_250;
/** Lines outside the tables that are read: all of a pharmacy's guide, even if a false grid takes half of it. */
const MAX_TEXTS = 120;
/** Width of all these lines together, in letter heights: the beginning of a page that is dense with text says what it is. */
const MAX_TEXTS_WIDTH = 4_000;

/** In pixels: a frame this close to the picture's edge continues beyond it; the same for a grid and its pane. */
const EDGE = 2;
/** Part of the area of a pane that one of its grids takes up at most. */
const MAX_INNER = 0.9;
/** Part of a grid that lies in its pane at least: the pane's first rule may be seen at that of its header, below the grid's. */
const MIN_WITHIN = 0.9;
/** In letter heights: how far below the last row the next one may begin. */
const NEXT_ROW = 2.5;

export type ReadStructure = Pick<PageReading, 'tables' | 'texts' | 'page'>;

/**
 * Recognises every cell with ink in an upright page's tables, and the lines around the tables.
 * @param structure of the page, if known already.
 */
export async function readPage(
  page: Raster,
  recogniser: LineRecogniser,
  structure: PageStructure | null = findTables(page),
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
  const texts = textsOutside(structure);
  const cuts = [
    ...cells.flatMap(({ lines, box }) => lines.map((line) => cutPrint(line, box, structure))),
    ...texts.map((line) => ({ clean: cutLine(line, line, structure), again: underMarks(line, line, structure) })),
    ...cells.flatMap(({ lines, box }) =>
      lines.flatMap(({ pieces }) => pieces.map((piece) => cutPrint(piece, box, structure))),
    ),
  ];
  const readings = await readCuts(cuts, recogniser);

  let next = 0;
  let nextPiece = sum(cells.map(({ lines }) => lines.length)) + texts.length;
  const readCells = new Map<GridTable, ReadCell[]>();
  for (const { table, box, lines } of cells) {
    const read = lines.map((line): ReadLine => {
      const pieces = line.pieces.map((piece) => toPiece(readings[nextPiece++]!, piece));
      const whole = toPiece(readings[next++]!, line);
      return pieces.length > 0 ? { ...whole, pieces } : whole;
    });
    const shown = lines.at(-1)?.struck ? withStruckNumber(read.slice(0, -1), read.at(-1)!) : read;
    const list = readCells.get(table) ?? [];
    readCells.set(table, list);
    list.push({
      row: box.row,
      column: box.column,
      rowSpan: box.rowSpan,
      columnSpan: box.columnSpan,
      box: toBox(box),
      blank: shown.length === 0,
      // Korean wraps in the middle of a word: lines are put together without a blank.
      text: joinReadings(shown),
      numeral: joinNumerals(shown.flatMap(({ numeral }) => numeral ?? [])),
      lines: shown,
      ...(shown.some(({ crossed }) => crossed) ? { crossed: true } : {}),
    });
  }
  const tables = structure.tables.map((table) => toReadTable(table, readCells.get(table) ?? [], structure, page));
  const cutCell = ({ box, lines }: ReadCell) => cutLine(toExtent(lines![0]!.box), toExtent(box), structure);
  return {
    tables: await withUnreadDigits(tables, cutCell, recogniser),
    texts: texts.map((line, index): ReadText => ({ ...readings[next + index]!.text, box: toBox(line) })),
    page: size,
  };
}

/** A place that is read, cut out of the page without rules and marks; and with what of them it may share, where it does. */
interface Cut {
  readonly clean: LineImage;
  readonly again: {
    /** In heights of the line. */
    readonly length: number;
    readonly cut: () => LineImage;
    readonly join: (clean: LineReading, again: LineReading) => LineReading;
  } | null;
}

function cutPrint(print: Printed, within: Extent, structure: PageStructure): Cut {
  const { whole, onColumnRule } = print;
  if (whole === null) return { clean: cutLine(print, within, structure), again: underMarks(print, within, structure) };
  const join = onColumnRule ? readingOnColumnRule : surerAs(print);
  const again = { length: lengthOf(whole), cut: () => cutOnRule(whole, structure), join };
  return { clean: cutLine(print, within, structure), again };
}

function underMarks(print: Extent, within: Extent, structure: PageStructure): Cut['again'] {
  if (!isMarked(print, structure)) return null;
  return { length: lengthOf(print), cut: () => cutUnderMarks(print, within, structure), join: surerAs(print) };
}

function surerAs(print: Extent): NonNullable<Cut['again']>['join'] {
  return (clean, again) => surerReading(clean, again, lengthOf(print));
}

function lengthOf({ left, top, right, bottom }: Extent): number {
  return (right - left) / (bottom - top);
}

/** One reading per place. Second readings run in a separate call: a page is never refused for them. */
async function readCuts(cuts: readonly Cut[], recogniser: LineRecogniser): Promise<readonly LineReading[]> {
  const readings = [...(await recogniser.recognise(cuts.map(({ clean }) => clean)))];
  const twice = readTwice(cuts);
  const second = await recogniser.recognise(twice.map(({ cut }) => cut()));
  twice.forEach(({ index, join }, n) => {
    readings[index] = join(readings[index]!, second[n]!);
  });
  const once = cuts.map(({ clean, again }) => (again === null ? clean : null));
  const looked = await lookAgain(once, readings, recogniser);
  return withWholeCodes(
    cuts.map(({ clean }) => clean),
    looked,
    recogniser,
  );
}

/** The places that are read again, as many as are worth their time. */
function readTwice(cuts: readonly Cut[]): readonly (NonNullable<Cut['again']> & { readonly index: number })[] {
  let length = 0;
  return cuts.flatMap(({ again }, index) => {
    if (again === null) return [];
    length += again.length;
    return length <= MAX_SECOND_LENGTH ? [{ ...again, index }] : [];
  });
}

/** A line or a piece of one. */
interface Printed extends Extent {
  readonly crossed: boolean;
  /** Including the ends of letters on or beyond the rule that they are printed on; null if no rule is near. */
  readonly whole: Extent | null;
  /** Whether that is a rule down the page, at its first or its last letter. */
  readonly onColumnRule: boolean;
  /** Where a stroke may have made one piece of a number and itself. */
  readonly struck?: boolean;
}

interface CellLines {
  readonly table: GridTable;
  readonly box: GridCell;
  readonly lines: readonly (Printed & { readonly pieces: readonly Printed[] })[];
}

function cellsOf(table: GridTable, structure: PageStructure): readonly CellLines[] {
  // Wider than the table where print overhangs it.
  const around = table.cells.reduce<Extent>(hullOf, table);
  // Skip text that belongs to a nested grid.
  const inner = structure.tables.filter((other) => other !== table && encloses(around, other));
  const parts = structure.components.filter(
    (part) => contains(around, part) && !inner.some((other) => contains(other, part)),
  );
  const foreign = structure.components.filter(
    (part) => isForeign(part, structure.letterHeight) || isArc(part, structure.letterHeight),
  );
  const strokes = foreign.filter(({ stroke }) => stroke);
  const printed = (extent: Extent, _box: GridCell): Printed => {
    const own = parts.filter((part) => contains(extent, part) && !isForeign(part, structure.letterHeight));
    const onColumnRule = printOnColumnRule(extent, structure);
    const crossed =
      onColumnRule !== null ||
      isCrossed(extent, own, foreign, structure) ||
      isMarked(extent, structure) ||
      mayHaveLostPoint(own, structure);
    const onRowRule = wholePrint(extent, structure);
    return {
      ...extent,
      crossed,
      whole: onRowRule ?? onColumnRule,
      onColumnRule: onRowRule === null && onColumnRule !== null,
    };
  };
  const inCells = table.cells.map((box) => ({ box, lines: linesIn(box, structure, parts) }));
  const beginnings = columnBeginnings(inCells, structure.letterHeight);
  const found = inCells.map(({ box, lines: own }): CellLines => {
    const lines = own
      .map((line) => fromBeginning(line, beginnings.get(columnOf(box)), foreign, structure))
      .map((line) => alongStrokes(line, box, strokes, structure))
      .map((line) => ({
        ...printed(line, box),
        pieces: piecesOf(line, structure, parts).map((piece) => printed(piece, box)),
      }));
    return { table, box, lines };
  });
  const struck = struckNumbers(found, foreign, structure);
  const onRules = found.flatMap(({ lines }) =>
    lines.flatMap((line) => (line.whole ? [{ line, whole: line.whole }] : [])),
  );
  return withoutFoundTwice(
    found.map(({ lines, ...cell }): CellLines => {
      const place = struck.get(cell.box);
      const own = lines.filter((line) => !onRules.some((other) => isCutOff(line, other, structure.letterHeight)));
      if (!place) return { ...cell, lines: own };
      const number = { ...place, crossed: true, struck: true, whole: null, onColumnRule: false, pieces: [] };
      return { ...cell, lines: [...own, number] };
    }),
  );
}

/** Whether a table lies for the most part within another place, and does not fill it. */
function encloses(outer: Extent, inner: Extent): boolean {
  const own = areaOf(inner);
  return sharedArea(outer, inner) >= MIN_WITHIN * own && own < MAX_INNER * areaOf(outer);
}

function textsOutside({ words, tables, letterHeight }: PageStructure): readonly Extent[] {
  const outside = words.filter((word) => !tables.some((table) => contains(table, word)));
  const lines = findTextRows(outside, letterHeight)
    .flatMap((row) => joinNear([...row.words], 1.5 * letterHeight))
    .slice(0, MAX_TEXTS);
  let width = 0;
  return lines.filter(({ left, right }) => {
    width += right - left;
    return width <= MAX_TEXTS_WIDTH * letterHeight;
  });
}

/** Words of one line with ordinary spaces between them are read together. */
function joinNear(words: Extent[], gap: number): readonly Extent[] {
  const joined: Extent[] = [];
  for (const word of words.sort((a, b) => a.left - b.left)) {
    const last = joined.at(-1);
    if (last && word.left - last.right <= gap)
      joined[joined.length - 1] = {
        left: last.left,
        top: Math.min(last.top, word.top),
        right: Math.max(last.right, word.right),
        bottom: Math.max(last.bottom, word.bottom),
      };
    else joined.push(word);
  }
  return joined;
}

/** A number never wraps: a cell of several lines has no numeral unless one line alone reads as one. */
function joinNumerals(parts: readonly Reading[]): Reading | null {
  const read = parts.filter(({ text }) => /\d/.test(text));
  return read.length === 1 ? read[0]! : null;
}

/** In heights of a line: a digit is no wider. */
const WIDE_DIGIT = 2;

function toPiece({ text, numeral }: LineReading, extent: Printed): ReadPiece {
  // A stroke lies next to it, or is all that was read.
  const isWide = /^\d$/.test(text.text) && lengthOf(extent) > WIDE_DIGIT;
  const shown = (reading: Reading) => (isWide ? doubtedReading(reading) : reading);
  const crossed = extent.crossed || isWide;
  return { ...shown(text), numeral: shown(numeral), box: toBox(extent), ...(crossed ? { crossed } : {}) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function toBox({ left, top, right, bottom }: Extent): Box {
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function toExtent({ x, y, width, height }: Box): Extent {
  return { left: x, top: y, right: x + width, bottom: y + height };
}

function toReadTable(table: GridTable, cells: readonly ReadCell[], structure: PageStructure, page: Raster): ReadTable {
  const bounded = !isCut(table, structure, page);
  return { box: toBox(table), rowCount: table.rowCount, columnCount: table.columnCount, cells, bounded };
}

/** A row cut by the picture's edge, with letters below the table or inside; or a frame that stays open. */
function isCut(table: GridTable, { components, letterHeight }: PageStructure, { height }: Raster): boolean {
  const isOpen = table.kind === 'ruled' && (table.top <= EDGE || table.bottom >= height - EDGE);
  const isNear = ({ top, bottom }: Extent) =>
    (bottom >= height - 1 && top < table.bottom + NEXT_ROW * letterHeight) ||
    (top <= 1 && bottom > table.top - NEXT_ROW * letterHeight);
  const isInColumns = ({ left, right }: Extent) => left > table.left && right < table.right;
  return isOpen || components.some((part) => isNear(part) && isInColumns(part));
}
