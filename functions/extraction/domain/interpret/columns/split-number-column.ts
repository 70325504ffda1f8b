import { medianOf } from '../../median.ts';
import { joinReadings, partOf } from '../../reading/reading-parts.ts';
import type { Box, ReadCell, ReadLine, ReadPiece, ReadTable } from '../../reading/table-reader.ts';
import { isMeasure } from '../numbers/cell-values.ts';
import { isNumber } from '../numbers/split-numbers.ts';
import { centerX, hullOf } from '../print.ts';
import { splitColumn } from './split-column.ts';

/** Rows that show two numbers, the first perhaps with its unit, and the part of the rows with numbers that they are at least. */
const MIN_ROWS = 2;
const MIN_SHARE = 0.6;
/** In digit heights: minimum white between the two; a number and its unit, read as a digit, are closer. */
const MIN_GAP = 1.2;

/**
 * If the rule between two columns of numbers was missed, both were read as one: 2 and 60 as 260. Numbers in the same two places of every
 * row separate them, and each word over them goes to the column below it.
 */
export function splitNumberColumns(table: ReadTable): ReadTable {
  for (let column = 0; column < table.columnCount; column++) {
    const border = borderWithin(table.cells.filter((cell) => cell.column === column && cell.columnSpan === 1));
    if (border !== null) return splitNumberColumns(splitAt(table, column, border));
  }
  return table;
}

/** Between the two stacks of numbers that the cells of a column show; null where they show one, or none. */
function borderWithin(cells: readonly ReadCell[]): number | null {
  const numbers = cells.flatMap(({ lines = [] }) => {
    const pieces = lines.length === 1 ? piecesOf(lines[0]!) : [];
    return pieces.length > 0 && pieces.every(({ text }, at) => isNumber(text) || (at === 0 && isMeasure(text)))
      ? [pieces]
      : [];
  });
  const pairs = numbers.filter((pieces) => pieces.length === 2);
  if (pairs.length < MIN_ROWS || pairs.length < MIN_SHARE * numbers.length) return null;
  const left = Math.max(...pairs.map(([first]) => first!.box.x + first!.box.width));
  const right = Math.min(...pairs.map(([, second]) => second!.box.x));
  // A piece of the rule may hang on one of the two, and be higher than a digit.
  const height = medianOf(pairs.map((pieces) => Math.min(...pieces.map(({ box }) => box.height))));
  const border = (left + right) / 2;
  const isCrossed = numbers.flat().some(({ box }) => box.x < border && box.x + box.width > border);
  return right - left < MIN_GAP * height || isCrossed ? null : border;
}

/** A cell without line positions stays whole. */
function splitAt(table: ReadTable, column: number, border: number): ReadTable {
  return splitColumn(table, column, (cell) =>
    cell.columnSpan > 1 || (!cell.blank && !cell.lines)
      ? null
      : [partOfCell(cell, border, 'left'), partOfCell(cell, border, 'right')],
  );
}

function partOfCell(cell: ReadCell, border: number, side: 'left' | 'right'): ReadCell {
  const isHere = ({ box }: { readonly box: Box }) => centerX(box) < border === (side === 'left');
  const lines = (cell.lines ?? []).flatMap((line): readonly ReadLine[] => {
    const pieces = piecesOf(line).filter(isHere);
    const [only] = pieces;
    if (!only) return [];
    if (pieces.length === 1) return [only];
    const box = hullOf(pieces.map((piece) => piece.box));
    return [{ ...joinReadings(pieces, ' '), numeral: null, box, pieces }];
  });
  const end = cell.box.x + cell.box.width;
  const box =
    side === 'left' ? { ...cell.box, width: border - cell.box.x } : { ...cell.box, x: border, width: end - border };
  const numerals = lines.flatMap(({ numeral, text }) => (numeral && /\d/.test(text) ? [numeral] : []));
  return {
    ...cell,
    box,
    blank: lines.length === 0,
    text: joinReadings(lines),
    numeral: numerals.length === 1 ? numerals[0]! : null,
    lines,
  };
}

/** The parts of a line between wide blanks; otherwise the words of a tight header, assuming letters of equal width. */
function piecesOf(line: ReadLine): readonly ReadPiece[] {
  if (line.pieces && line.pieces.length > 0) return line.pieces;
  const letter = line.box.width / Math.max(1, line.text.length);
  const words = [...line.text.matchAll(/\S+/g)];
  if (words.length < 2 || isNumber(line.text)) return [line];
  return words.map(({ 0: word, index }) => {
    const reading = partOf(line, index, index + word.length);
    const box = { ...line.box, x: line.box.x + index * letter, width: word.length * letter };
    return { ...reading, numeral: null, box };
  });
}
