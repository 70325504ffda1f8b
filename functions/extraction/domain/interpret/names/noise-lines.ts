import { joinReadings } from '../../reading/reading-parts.ts';
import type { ReadCell, ReadLine, ReadTable } from '../../reading/table-reader.ts';
import { overlap } from '../print.ts';

/** Maximum confidence of a line that was not printed, next to one of at least the second value. */
export const NOISE = { at: 0.35, beside: 0.7 };
/** In heights of a line, from one letter to the next: farther apart they are what a pen's stroke was read as. */
const SPARSE = 3;
/** A line that starts with a code, and the digit or two misread for an adjacent stroke. */
const CODE_FIRST = /^\D{0,2}\d{9}(?!\d)/;
const STRAY_DIGITS = /^\d{1,2}$/;
/** Share of the lower line's height by which two lines of print never overlap. */
const OVERLAP = 0.5;

/**
 * Copies are full of specks, some of which make lines of their own below names, as pens' strokes do, and bold print in a tight row is found twice:
 * such lines are none of the name. Its cell counts as crossed: where nothing can be read, more may have been printed.
 */
export function withoutNoiseLines(table: ReadTable): ReadTable {
  return { ...table, cells: table.cells.map(withoutNoise) };
}

function withoutNoise(cell: ReadCell): ReadCell {
  const { lines = [] } = cell;
  if (lines.length < 2) return cell;
  const kept = withoutNoiseBelow(lines.some(({ text }) => CODE_FIRST.test(text)) ? lines.filter(isNoStray) : lines);
  return kept.length === lines.length ? cell : { ...cell, lines: kept, text: joinReadings(kept), crossed: true };
}

/** Joined to a code, a stroke would make it one of ten digits. */
function isNoStray({ text, confidence }: ReadLine): boolean {
  return confidence >= NOISE.beside || !STRAY_DIGITS.test(text);
}

function withoutNoiseBelow(lines: readonly ReadLine[]): readonly ReadLine[] {
  const [first] = lines;
  if (!first || first.confidence < NOISE.beside || !/\p{L}{2}/u.test(first.text)) return lines;
  return lines.filter((line, index) => index === 0 || !isNoise(line, lines[index - 1]!));
}

function isNoise({ text, confidence, box }: ReadLine, above: ReadLine): boolean {
  const shared = overlap(box.y, box.y + box.height, above.box.y, above.box.y + above.box.height);
  const isTwin =
    shared > OVERLAP * box.height &&
    (confidence < NOISE.beside || above.text.endsWith(text.slice(-OVERLAP * text.length)));
  const letters = text.replace(/\s/g, '').length;
  const isSparse = confidence < NOISE.beside && box.width > SPARSE * box.height * letters;
  return isTwin || isSparse || confidence < NOISE.at;
}
