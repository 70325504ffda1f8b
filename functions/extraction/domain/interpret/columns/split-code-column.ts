import { joinReadings, partOf } from '../../reading/reading-parts.ts';
import type { Box, ReadCell, Reading, ReadLine, ReadTable } from '../../reading/table-reader.ts';
import { codeOfLine } from '../codes/code-line.ts';
import { looksNumeric } from '../numbers/cell-values.ts';
import { splitColumn } from './split-column.ts';

/** A code, perhaps behind a serial number or in brackets, and the name right after it. */
const CODE_AND_NAME = /^(?:\d{1,3}(?:\s+|[.)]\s?))?[([]?(\d{13}|\d{9}|[A-Z]?\d{8})[)\]]?[\s.:/_-]*(?=[^\d\s])(.+)/ds;
const MIN_CELLS = 3;
const MIN_SHARE = 0.5;
/** Minimum numbers next to a name for it to be a line's. */
const MIN_NUMBERS = 2;

interface Part {
  readonly box: Box;
  readonly text: Reading;
  readonly lines?: readonly ReadLine[];
}

interface Parts {
  readonly code: Part;
  readonly name: Part;
  /** Whether each has separate lines, so that one such cell identifies the column. */
  readonly isStacked: boolean;
}

/**
 * Where nothing but a narrow blank or a line's end parts codes and names, a reader may take them for one column. Their form tells them
 * apart: the column is split, and the table is as if it had been read so.
 */
export function splitCodeColumn(table: ReadTable): ReadTable {
  const column = findMergedColumn(table);
  if (column === null) return table;
  return splitColumn(table, column, (cell) => {
    const parts = partsOf(cell);
    if (parts) return splitCell(cell, parts);
    return isNameAlone(cell, table) ? [withoutPrint(cell), cell] : null;
  });
}

/** Whether a cell is the name of a line whose code was not read: words, with numbers next to them. */
function isNameAlone({ row, columnSpan, text: { text } }: ReadCell, { cells }: ReadTable): boolean {
  if (columnSpan > 1 || !/\p{L}{2}/u.test(text) || /\d{6}/.test(text)) return false;
  return cells.filter((other) => other.row === row && looksNumeric(other)).length >= MIN_NUMBERS;
}

function withoutPrint({ lines: _, ...cell }: ReadCell): ReadCell {
  return { ...cell, blank: true, text: { text: '', confidence: 1 }, numeral: null };
}

function findMergedColumn(table: ReadTable): number | null {
  for (let column = 0; column < table.columnCount; column++) {
    const inked = table.cells.filter(
      (cell) => cell.column === column && !cell.blank && (cell.columnSpan === 1 || partsOf(cell) !== null),
    );
    const merged = inked.flatMap((cell) => partsOf(cell) ?? []);
    const isEnough = merged.length >= MIN_CELLS || merged.some(({ isStacked }) => isStacked);
    if (isEnough && merged.length >= inked.length * MIN_SHARE && !isCutAcross(inked)) return column;
  }
  return null;
}

/** Whether rows were cut between a code and its name: then a cell holds two codes, and others that of the drug before or behind theirs. */
function isCutAcross(cells: readonly ReadCell[]): boolean {
  const isCode = (line: ReadLine) => codeOfLine(line) !== null;
  const stacked = cells.map(({ lines = [] }) => lines).filter((lines) => lines.length > 1 && lines.some(isCode));
  const first = stacked.filter(([line]) => isCode(line!)).length;
  return stacked.some((lines) => lines.filter(isCode).length > 1) || (first > 0 && first < stacked.length);
}

/** A cell may reach over rules that extend from another part of the form; but a cell with several codes does not belong to one drug. */
function partsOf(cell: ReadCell): Parts | null {
  return stackedParts(cell) ?? (cell.columnSpan === 1 ? partsSideBySide(cell) : null);
}

/** A cell may print the code above or below the name. */
function stackedParts({ box, text: { text: printed }, lines = [] }: ReadCell): Parts | null {
  const codes = lines.filter((line) => codeOfLine(line) !== null);
  const names = lines.filter((line) => !codes.includes(line));
  const [code] = codes;
  // Where the code was parted from the name before, the lines still show it.
  const isParted = codes.some(({ text }) => !printed.includes(text));
  if (codes.length !== 1 || isParted || !names.some(({ text }) => /\p{L}{2}/u.test(text))) return null;
  const text = codeOfLine(code!)!;
  return {
    code: { box: code!.box, text },
    name: { box, text: joinReadings(names), lines: names },
    isStacked: true,
  };
}

/** Where a name begins so, the code was parted from it before, though the line still shows it. */
const NAME_FIRST = /^\p{Script=Hangul}{2}/u;

/** By the line as it was read at once, or else piece by piece: letters are read better among others, but a code may be blurred there. */
function partsSideBySide({ box, text, lines = [] }: ReadCell): Parts | null {
  const pieces = lines.length === 1 && !NAME_FIRST.test(text.text) ? (lines[0]!.pieces ?? []) : [];
  return partsOfLine(box, text) ?? (pieces.length > 1 ? partsOfLine(box, joinReadings(pieces, ' ')) : null);
}

function partsOfLine(box: Box, text: Reading): Parts | null {
  const [, codeAt, nameAt] = CODE_AND_NAME.exec(text.text)?.indices ?? [];
  if (!codeAt || !nameAt) return null;
  const code = partOf(text, ...codeAt);
  const codeWidth = (box.width * code.text.length) / text.text.length;
  return {
    code: { box: { ...box, width: codeWidth }, text: code },
    name: { box: { ...box, x: box.x + codeWidth, width: box.width - codeWidth }, text: partOf(text, ...nameAt) },
    isStacked: false,
  };
}

function splitCell(cell: ReadCell, { code, name }: Parts): readonly [ReadCell, ReadCell] {
  return [
    { ...cell, ...code, columnSpan: 1, numeral: code.text },
    { ...cell, ...name, numeral: null },
  ];
}
