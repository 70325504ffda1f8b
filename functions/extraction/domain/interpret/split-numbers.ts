import type { Box, ReadCell } from '../reading/table-reader.ts';
import { hullOf, overlap, type Print } from './print.ts';

/** In heights of a line: digits that stand closer are of one number, even where a border was seen between them. */
const DIGIT_GAP = 0.35;
/** What is left of the confidence in a number that was read in two pieces, or in one piece of two. */
const DOUBT = 0.5;
/** In heights of a line, at most. */
const DIGIT_WIDTH = 0.9;
const DIGITS = /^[\d.,]+$/;

/** Prints in which numbers that a column's border cut in two are whole again. */
export function joinSplitNumbers(prints: readonly Print[]): readonly Print[] {
  const joined: Print[] = [];
  for (const print of [...prints].sort((a, b) => a.box.x - b.box.x)) {
    const index = isPlacedNumber(print)
      ? joined.findIndex((other) => other.cell !== print.cell && isPlacedNumber(other) && runsOn(other.box, print.box))
      : -1;
    if (index < 0) joined.push(print);
    else joined[index] = whole(joined[index]!, print);
  }
  return joined;
}

/** Without lines of its own a cell's box says nothing of where its print stands. */
function isPlacedNumber({ text, cell, box }: Print): boolean {
  return isTightNumber(text, box) && cell?.lines !== undefined;
}

/** A box that also holds what a rule has left beside the digits is too wide for them. */
function isTightNumber(text: string, { width, height }: Box): boolean {
  return DIGITS.test(text) && width <= DIGIT_WIDTH * height * text.length;
}

/** Whether the digits of a cell go on in the next one: then neither is a number by itself. */
export function isSplitBetween(left: ReadCell | undefined, right: ReadCell | undefined): boolean {
  return (left?.lines ?? []).some(
    (a) =>
      isTightNumber(a.text, a.box) &&
      (right?.lines ?? []).some((b) => isTightNumber(b.text, b.box) && runsOn(a.box, b.box)),
  );
}

export function doubted(cell: ReadCell): ReadCell {
  const { text, numeral } = cell;
  return {
    ...cell,
    text: { text: text.text, confidence: text.confidence * DOUBT },
    numeral: numeral && { text: numeral.text, confidence: numeral.confidence * DOUBT },
  };
}

function runsOn(left: Box, right: Box): boolean {
  const height = Math.min(left.height, right.height);
  const gap = right.x - left.x - left.width;
  const shared = overlap(left.y, left.y + left.height, right.y, right.y + right.height);
  return shared > 0.5 * height && gap > -DIGIT_GAP * height && gap < DIGIT_GAP * height;
}

function whole(left: Print, right: Print): Print {
  const text = left.text + right.text;
  const confidence = left.confidence * right.confidence * DOUBT;
  const reading = { text, confidence, letters: Array.from(text, () => confidence) };
  return { ...left, ...reading, numeral: reading, line: null, box: hullOf([left.box, right.box]) };
}
