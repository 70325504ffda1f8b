import type { LineRecogniser } from './line-recogniser.ts';
import { foreignIn, type Printed, printed, toExtent, toPiece } from './print-places.ts';
import { cutPrint, readCuts } from './read-cuts.ts';
import type { PageStructure } from './structure/find-tables.ts';
import type { Component } from './structure/ink/components.ts';
import { isForeign } from './structure/ink/foreign-ink.ts';
import { contains, type Extent, hullOf } from './structure/tables/grid.ts';
import { findTextRows, firstFrom, joinNear } from './structure/tables/text-rows.ts';
import type { Box, ReadLine, ReadPiece } from './table-reader.ts';

/** In letter heights, of all print of a page: more than any sheet shows, and hardly less than the recogniser reads at once. */
const MAX_WIDTH = 4_800;
/** In letter heights: white between two words of one text at most. */
const SPACE = 0.55;
/** In letter heights: print outside of the cells with less white between is one text, unless it is a number. */
const ONE_TEXT = 1.5;
/** In letter heights: more between two pieces is a column's, even with marks there. */
const MAX_GAP = 2.5;
/** In letter heights: letters are taller. */
const MARK = 0.4;
const NUMERIC = /^[\d\s.,]*$/;
/** In line heights: the paper that a line outside of every cell has around it. */
const PAPER = 0.5;

/** The lines of words outside of the cells, each read at once too: letters are read better among others. */
export async function wholeLines(
  pieces: readonly ReadPiece[],
  structure: PageStructure,
  recogniser: LineRecogniser,
): Promise<readonly ReadLine[]> {
  const runs: ReadPiece[][] = [];
  const marks = marksOf(structure);
  for (const piece of pieces) {
    const last = runs.at(-1)?.at(-1);
    const isNext = last && isBeside(last.box, piece.box) && isNear(last.box, piece.box, marks, structure.letterHeight);
    if (isNext && !NUMERIC.test(last.text) && !NUMERIC.test(piece.text)) runs.at(-1)!.push(piece);
    else runs.push([piece]);
  }
  const several = runs.filter(({ length }) => length > 1);
  const foreign = foreignIn(structure);
  const prints = several.map((run) =>
    printed(run.map(({ box }) => toExtent(box)).reduce(hullOf), structure.components, foreign, structure),
  );
  const readings = await readCuts(
    prints.map((print) => cutPrint(print, around(print), structure)),
    recogniser,
  );
  const wholes = new Map(several.map((run, n) => [run, toPiece(readings[n]!, prints[n]!)]));
  return runs.map((run) => {
    const whole = wholes.get(run);
    return whole ? { ...whole, pieces: run } : run[0]!;
  });
}

/** The points, dashes and strokes below the line, too low to be found as words, from left to right. */
function marksOf({ components, letterHeight }: PageStructure): readonly Component[] {
  return components
    .filter((part) => part.bottom - part.top < MARK * letterHeight && !isForeign(part, letterHeight))
    .sort((a, b) => a.left - b.left);
}

/** Whether two pieces of a line have no more white between them than words have, on either side of the marks there. */
function isNear(a: Box, b: Box, marks: readonly Component[], letterHeight: number): boolean {
  const most = ONE_TEXT * letterHeight;
  let end = a.x + a.width;
  if (b.x < end || b.x - end > MAX_GAP * letterHeight) return false;
  if (b.x - end <= most) return true;
  const [top, bottom] = [Math.min(a.y, b.y), Math.max(a.y + a.height, b.y + b.height)];
  const isBetween = (mark: Component) => mark.right <= b.x && mark.top >= top && mark.bottom <= bottom;
  for (let at = firstFrom(marks, end); at < marks.length && marks[at]!.left - end <= most; at++)
    if (isBetween(marks[at]!)) end = Math.max(end, marks[at]!.right);
  return b.x - end <= most;
}

function isBeside(a: Box, b: Box): boolean {
  return Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > 0.5 * Math.min(a.height, b.height);
}

/** The place of a line, with paper around it. */
export function around({ left, top, right, bottom }: Extent): Extent {
  const paper = PAPER * (bottom - top);
  return { left: left - paper, top: top - paper, right: right + paper, bottom: bottom + paper };
}

/**
 * The print outside of the cells from top to bottom, in pieces without blanks that may part columns; and what there is too much of to be read.
 * @param width of the cells' print, in letter heights: everything is read at once.
 */
export function textsOutside(
  structure: PageStructure,
  width: number,
): { readonly texts: readonly Printed[]; readonly left: readonly Extent[] } {
  const { close, tables, letterHeight, components } = structure;
  const foreign = foreignIn(structure);
  const outside = close.filter((word) => !tables.some((table) => contains(table, word)));
  const points = marksOf(structure);
  const lines = findTextRows(outside, letterHeight).flatMap(({ words }) =>
    joinNear(words, SPACE * letterHeight, points),
  );
  let read = width;
  const end = lines.findIndex((line) => {
    read += (line.right - line.left) / letterHeight;
    return read > MAX_WIDTH;
  });
  const texts = end < 0 ? lines : lines.slice(0, end);
  return {
    texts: texts.map((line) => printed(line, components, foreign, structure)),
    left: lines.slice(texts.length),
  };
}
