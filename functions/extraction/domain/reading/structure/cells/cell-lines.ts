import type { LineImage } from '../../line-recogniser.ts';
import { cropRaster, type Raster } from '../../raster.ts';
import type { PageStructure } from '../find-tables.ts';
import type { Component } from '../ink/components.ts';
import { isArc, MAX_LETTER } from '../ink/foreign-ink.ts';
import { contains, type Extent, hullOf } from '../tables/grid.ts';

/** White around a line of text, in its heights: the recogniser was trained on such crops. */
export const PADDING = 0.22;
/** Beyond the cell, in heights of the line: strokes that are on the rule. */
const SHARED = 0.1;
/** Tallest single line, in letter heights; the letter height is that of digits, a syllable is taller. */
export const ONE_LINE = 1.6;
/** In letter heights: a taller cell may hold two lines of small print. */
const ONE_SYLLABLE = 1.3;
/** In letter heights: lines lower than this are parts of letters. */
const SMALL_PRINT = 0.55;
/** Minimum number of lines of one print, and the maximum ratio of the tallest to the lowest; a box with more parts is not a header's. */
const MIN_ALIKE = 3;
const ALIKE = 1.35;
const MAX_PARTS = 8;
/** Ink where letters of two lines touch, as part of what their rows hold on the average. */
const TOUCHING = 0.65;
/** In letter heights, and as part of its width: a wider column breaks no header that fills less of it into lines of a small print. */
const WIDE_COLUMN = { width: 16, filled: 0.5 };
/** In letter heights, letters that say how tall a line is; fewer of them say nothing. */
const LETTER = { min: 0.6, max: 1.45 };
const MIN_LETTERS = 3;
/** In letter heights: a longer and lower component is a remnant of a rule or of a fill's edge. */
const RULE_REST = { width: 3, height: 0.3 };
/** Next to a text line, a line lower than this part of it is a remnant of a faint rule. */
const LOWEST_LINE = 0.45;

/** A cell with more letters holds words, and some of these are as tall and thin as a ring around a number. */
const MAX_DIGITS = 4;
/** Part of the height of each line that a picture or stroke spans, if it is taller than one line. */
const BRIDGED = 0.5;

/** Lines of text in a cell, top to bottom; empty when it holds no ink but specks. */
export function linesIn(cell: Extent, structure: PageStructure, parts: readonly Component[]): readonly Extent[] {
  const { letterHeight } = structure;
  const isTall = (part: Extent) => heightOf(part) > ONE_LINE * letterHeight;
  const speck = Math.max(2, Math.floor(letterHeight / 8));
  const printed = parts.filter(
    (part) =>
      contains(cell, part) &&
      Math.max(part.right - part.left, part.bottom - part.top) >= speck &&
      part.bottom - part.top < MAX_LETTER.height * letterHeight &&
      !part.stroke &&
      !isRuleRest(part, letterHeight),
  );
  const letterCount = printed.filter((part) => isLetter(part, letterHeight)).length;
  const isNumber = letterCount > 0 && letterCount <= MAX_DIGITS;
  const inside = isNumber ? printed.filter((part) => !isArc(part, letterHeight)) : printed;
  const lines: { left: number; top: number; right: number; bottom: number }[] = [];
  // Tall parts first: they locate the lines, and commas and dots then fall into them. Parts taller than a line do not count.
  const [letters, tall] = [inside.filter((part) => !isTall(part)), inside.filter(isTall)];
  for (const part of [...letters.sort((a, b) => heightOf(b) - heightOf(a)), ...tall]) {
    if (isTall(part) && bridgesLines(part, lines, letterHeight)) continue;
    const middle = (part.top + part.bottom) / 2;
    const line = lines.find(({ top, bottom }) => {
      const overlap = Math.min(bottom, part.bottom) - Math.max(top, part.top);
      return (
        overlap > 0.45 * (part.bottom - part.top) ||
        (middle > top - 0.2 * letterHeight &&
          middle < bottom + 0.2 * letterHeight &&
          part.bottom - part.top < 0.45 * letterHeight)
      );
    });
    if (line) {
      line.left = Math.min(line.left, part.left);
      line.top = Math.min(line.top, part.top);
      line.right = Math.max(line.right, part.right);
      line.bottom = Math.max(line.bottom, part.bottom);
    } else lines.push({ left: part.left, top: part.top, right: part.right, bottom: part.bottom });
  }
  const merged = mergeParts(lines, inside, cell, structure).filter(
    ({ left, right, top, bottom }) => Math.max(right - left, bottom - top) >= 0.25 * letterHeight,
  );
  // A stroke or a seal next to text lines is not a measure of them.
  const tallest = Math.max(0, ...merged.map(heightOf).filter((height) => height <= ONE_LINE * letterHeight));
  return merged
    .filter((line) => heightOf(line) >= LOWEST_LINE * (tallest || ONE_LINE * letterHeight))
    .map((line) => withoutStrokes(line, inside, letterHeight))
    .sort((a, b) => a.top - b.top);
}

/** Whether a part spans two lines or more: halves of syllables together are no taller than one. */
function bridgesLines(part: Extent, lines: readonly Extent[], letterHeight: number): boolean {
  const beside = lines.filter((line) => overlapOf(line, part) > BRIDGED);
  return beside.length > 1 && heightOf(beside.reduce(hullOf)) > MAX_LETTER.height * letterHeight;
}

/** Of a line too tall for one, what its letters take up where they agree: the rest is a pen's stroke or an arc of a ring. */
function withoutStrokes(line: Extent, parts: readonly Component[], letterHeight: number): Extent {
  if (line.bottom - line.top <= ONE_LINE * letterHeight) return line;
  const letters = parts.filter((part) => contains(line, part) && isLetter(part, letterHeight));
  const top = Math.min(...letters.map((part) => part.top));
  const bottom = Math.max(...letters.map((part) => part.bottom));
  return letters.length >= MIN_LETTERS && bottom - top <= ONE_LINE * letterHeight ? { ...line, top, bottom } : line;
}

function isLetter(part: Extent, letterHeight: number): boolean {
  return heightOf(part) >= LETTER.min * letterHeight && heightOf(part) <= LETTER.max * letterHeight;
}

function isRuleRest({ left, right, top, bottom }: Component, letterHeight: number): boolean {
  return right - left > RULE_REST.width * letterHeight && bottom - top < RULE_REST.height * letterHeight;
}

/** White, in letter heights, that splits a line: columns without a rule between them, a number and its unit. */
const WIDE_GAP = 1.5;
/** Narrower white splits it where it is so much wider than the line's usual gaps: between two words of a tight header. */
const NARROW_GAP = { letterHeights: 0.8, usualGaps: 3 };

/** In letter heights: a smaller isolated component is not a number but a speck, or a point left by a pen. */
const LEAST_PIECE = 0.45;

/** Splits a line at wide blanks, left to right; empty if there are none. */
export function piecesOf(
  line: Extent,
  { letterHeight }: PageStructure,
  parts: readonly Component[],
): readonly Extent[] {
  const inside = parts
    .filter((part) => contains(line, part) && part.bottom - part.top < MAX_LETTER.height * letterHeight && !part.stroke)
    .sort((a, b) => a.left - b.left);
  const gaps: number[] = [];
  let end = Number.POSITIVE_INFINITY;
  for (const { left, right } of inside) {
    if (left > end) gaps.push(left - end);
    end = end === Number.POSITIVE_INFINITY ? right : Math.max(end, right);
  }
  gaps.sort((a, b) => a - b);
  const usual = gaps[gaps.length >> 1] ?? 0;
  const narrow = Math.max(NARROW_GAP.letterHeights * letterHeight, NARROW_GAP.usualGaps * usual);
  const gap = Math.min(WIDE_GAP * letterHeight, narrow);
  const pieces: Extent[] = [];
  for (const part of inside) {
    const last = pieces.at(-1);
    if (last && part.left - last.right <= gap) pieces[pieces.length - 1] = hullOf(last, part);
    else pieces.push(part);
  }
  const inked = pieces.filter(({ left, right, top, bottom }) => {
    return Math.max(right - left, bottom - top) >= LEAST_PIECE * letterHeight;
  });
  return inked.length > 1 ? inked : [];
}

/** Parts that overlap, or that together are no taller than one line: the halves of a syllable like 수 need not touch. */
function mergeParts(
  lines: readonly Extent[],
  parts: readonly Extent[],
  cell: Extent,
  { clean, letterHeight }: PageStructure,
): readonly Extent[] {
  const merged: Extent[] = [];
  for (const line of [...lines].sort((a, b) => a.top - b.top)) {
    const last = merged.at(-1);
    if (last && (overlapOf(last, line) > 0.5 || line.bottom - last.top <= ONE_LINE * letterHeight))
      merged[merged.length - 1] = hullOf(last, line);
    else merged.push(line);
  }
  const isTall = (line: Extent) => heightOf(line) > ONE_SYLLABLE * letterHeight;
  if (!merged.some(isTall) && spreadOf(merged) <= ALIKE) return merged;
  const widest = Math.max(...merged.map(({ left, right }) => right - left));
  const room = cell.right - cell.left;
  if (room > WIDE_COLUMN.width * letterHeight && widest < WIDE_COLUMN.filled * room) return merged;
  const cut = strips(parts).flatMap((strip) => (isTall(strip) ? partTouching(strip, clean) : [strip]));
  return alikeLines(cut, letterHeight) ?? merged;
}

/** Groups of parts that no white row of pixels separates. */
function strips(parts: readonly Extent[]): readonly Extent[] {
  const found: Extent[] = [];
  for (const part of [...parts].sort((a, b) => a.top - b.top)) {
    const last = found.at(-1);
    if (last && part.top < last.bottom) found[found.length - 1] = hullOf(last, part);
    else found.push(part);
  }
  return found;
}

/**
 * The parts of a box as lines of about one height; null unless there are at least three. A narrow column's header is broken into lines of
 * small print (총 투약 일수), two of which are no taller than one line of the page.
 */
function alikeLines(parts: readonly Extent[], letterHeight: number): readonly Extent[] | null {
  if (parts.length > MAX_PARTS) return null;
  let best: readonly Extent[] | null = null;
  let bestSpread = ALIKE;
  for (const lines of waysToJoin(parts, ONE_LINE * letterHeight)) {
    const isPrint = lines.length >= MIN_ALIKE && lines.every((line) => heightOf(line) >= SMALL_PRINT * letterHeight);
    if (isPrint && spreadOf(lines) <= bestSpread) [best, bestSpread] = [lines, spreadOf(lines)];
  }
  return best;
}

/** How many times as high as the lowest of them the tallest is. */
function spreadOf(lines: readonly Extent[]): number {
  const heights = lines.map(heightOf);
  return Math.max(...heights) / Math.min(...heights);
}

/** Every way to form lines from parts that lie one below the other. */
function waysToJoin(parts: readonly Extent[], maxHeight: number): readonly (readonly Extent[])[] {
  let ways: (readonly Extent[])[] = [[]];
  for (const part of parts)
    ways = ways.flatMap((lines) => {
      const last = lines.at(-1);
      const joined = last && hullOf(last, part);
      const apart = [...lines, part];
      return joined && heightOf(joined) <= maxHeight ? [apart, [...lines.slice(0, -1), joined]] : [apart];
    });
  return ways;
}

/** Letters of two tight lines may touch: above and below the row in its middle third that has the least ink, where that is little. */
function partTouching(line: Extent, { width, pixels }: Raster): readonly Extent[] {
  const height = heightOf(line);
  let [at, least, all] = [0, Number.POSITIVE_INFINITY, 0];
  for (let y = line.top; y < line.bottom; y++) {
    let ink = 0;
    for (let x = line.left; x < line.right; x++) ink += 255 - (pixels[y * width + x] ?? 255);
    all += ink;
    if (ink < least && y >= Math.round(line.top + height / 3) && y <= line.bottom - height / 3) [at, least] = [y, ink];
  }
  return least * height > TOUCHING * all
    ? [line]
    : [
        { ...line, bottom: at },
        { ...line, top: at },
      ];
}

function heightOf({ top, bottom }: Extent): number {
  return bottom - top;
}

/** Of the less tall of the two, the part that the other one shares. */
function overlapOf(above: Extent, below: Extent): number {
  const shared = Math.min(above.bottom, below.bottom) - Math.max(above.top, below.top);
  return shared / Math.min(above.bottom - above.top, below.bottom - below.top);
}

/** Cuts a line out with a white margin; a lone dash or dot keeps its size relative to letters. */
export function cutLine(line: Extent, within: Extent, page: Pick<PageStructure, 'clean' | 'letterHeight'>): LineImage {
  return cropExtent(page.clean, spaceAround(line, within, page.letterHeight));
}

/** Cuts a line out with the parts removed for a pen's stroke or seal, as pale as the ink's own colour shows them. */
export function cutUnderMarks(line: Extent, within: Extent, structure: PageStructure): LineImage {
  const { clean, letterHeight, marks } = structure;
  const space = spaceAround(line, within, letterHeight);
  const cut = cropExtent(clean, space);
  if (!marks) return cut;
  const taken = cropExtent({ ...clean, pixels: marks }, space);
  return { ...cut, pixels: cut.pixels.map((level, i) => Math.max(0, level - taken.pixels[i]!)) };
}

function cropExtent(page: Raster, { left, top, right, bottom }: Extent): Raster {
  return cropRaster(page, left, top, right - left, bottom - top);
}

function spaceAround(line: Extent, within: Extent, letterHeight: number): Extent {
  const center = (line.top + line.bottom) / 2;
  const height = Math.max(line.bottom - line.top, 0.9 * letterHeight);
  const padding = PADDING * height;
  const shared = SHARED * height;
  const top = Math.max(center - height / 2 - padding, Math.min(within.top, line.top) - shared);
  const bottom = Math.min(center + height / 2 + padding, Math.max(within.bottom, line.bottom) + shared);
  const left = Math.max(line.left - padding, Math.min(within.left, line.left));
  const right = Math.min(line.right + padding, Math.max(within.right, line.right));
  return { left, top, right, bottom };
}
