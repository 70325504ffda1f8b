import type { Raster } from '../raster.ts';
import { blackTopHat } from './ink/black-top-hat.ts';
import { type Component, findComponents } from './ink/components.ts';
import { findInk, type Ink } from './ink/ink.ts';
import { invertTextBands } from './ink/inverse-text-bands.ts';
import { forInk } from './ink/next-ink.ts';
import { type EvenPage, normaliseIllumination } from './ink/normalise-illumination.ts';
import { darkestOf, darknessOfOtherSide, keepPrint, paleInk, shinesThrough } from './ink/pale-ink.ts';
import { withPrintUnderStrokes } from './ink/print-under-strokes.ts';
import { withoutRules } from './ink/without-rules.ts';
import { findDashedRules } from './rules/dashed-rules.ts';
import { withHiddenParts } from './rules/hidden-parts.ts';
import { withHighlightedRows } from './rules/highlighted-rows.ts';
import { looseLines, marksOf } from './rules/loose-lines.ts';
import { findRuledLines, type RuledLine, type TracedRule } from './rules/ruled-lines.ts';
import { withoutShineThrough } from './rules/shine-through.ts';
import { withCrossingPrint } from './tables/crossing-print.ts';
import type { Extent, GridTable } from './tables/grid.ts';
import { withOverhangingPrint } from './tables/overhanging-print.ts';
import { findFrames, findRuledTables } from './tables/ruled-tables.ts';
import { bodyHeight, findWords, type Word } from './tables/words.ts';

/** Where things are on an upright page, before anything is recognised. */
export interface PageStructure {
  /** The page with even, white paper and without ruled lines: what lines of text are cut from. */
  readonly clean: Raster;
  /** The same page with its ruled lines, 1 for every pixel of one, and those across the page as they run. */
  readonly ruled: { readonly page: Raster; readonly mask: Uint8Array; readonly rows: readonly TracedRule[] };
  /** 1 for every pixel from which a pen's stroke or a seal was taken out; absent where none was. */
  readonly marks?: Uint8Array;
  /** Pieces of ink that are no ruled lines. */
  readonly components: readonly Component[];
  /** Height of the letters that most of the page is set in, pixels. */
  readonly letterHeight: number;
  readonly words: readonly Word[];
  /** The same print split into words at narrower blanks, as those between two columns may be. */
  readonly close: readonly Word[];
  /** Top to bottom. */
  readonly tables: readonly GridTable[];
}

/** Gap in letter heights, up to which letters are one word for sure, also where letters are set wide. */
const CLOSE = 0.55;
/** Gap of the headers of neighbouring columns that fill their cells: hardly more than that of letters. */
const TIGHT = 0.25;

/**
 *
 * @param flattened whether the paper was curled, and has been flattened.
 * @returns null if the page has too few letters for a text.
 */
export function findTables(original: Raster, flattened = false): PageStructure | null {
  const rough = flatInk(original);
  const roughHeight = bodyHeight(findComponents(rough.ink));
  if (roughHeight === null) return null;
  const { page, bands } = invertTextBands(original, roughHeight);
  const { flat, ink } = bands.length > 0 ? flatInk(page) : rough;
  const lines = findRuledLines(flat, blackTopHat(flat, 0.5 * roughHeight), ink, {
    minHorizontal: Math.max(32, 5 * roughHeight),
    minVertical: Math.max(28, 2.6 * roughHeight),
    maxThickness: Math.max(8, 0.5 * roughHeight),
    letterHeight: roughHeight,
    wavering: flattened,
  });
  const parts = findComponents(lines.text).filter((part) => !isEdge(part, page));
  const letterHeight = bodyHeight(parts);
  if (letterHeight === null) return null;
  const dashed = findDashedRules(parts, lines.text, letterHeight, flat);
  const isDashed = dashed.horizontal.length + dashed.vertical.length > 0;
  const { horizontal, vertical } = withHighlightedRows(
    {
      horizontal: [...lines.horizontal, ...dashed.horizontal, ...bands.flatMap(edgesOf)],
      vertical: [...lines.vertical, ...dashed.vertical].filter((line) => line.to - line.from > 1.4 * letterHeight),
    },
    letterHeight,
  );
  const frames = findFrames(horizontal, vertical, letterHeight);
  const ownFrames = frames.map((frame) => withHiddenParts(withoutShineThrough(frame, letterHeight), letterHeight));
  const darkest = darkestOf(parts, flat, letterHeight);
  const otherSide = darknessOfOtherSide(frames, ownFrames, darkest);
  const ruledMask = isDashed ? withMask(lines.mask, dashed.mask) : lines.mask;
  const loose = looseLines(lines.vertical, frames, letterHeight);
  const withoutPrint = (mask: Uint8Array) => (loose.length > 0 ? cleared(mask, marksOf(loose, flat)) : mask);
  const mask = withoutPrint(ruledMask);
  const text = mask === lines.mask ? lines.text : withoutMask(ink, mask);
  const isPale = otherSide !== null && shinesThrough(darkest, otherSide);
  const pale = isPale ? paleInk(text, flat, otherSide, letterHeight) : null;
  const print = pale === null ? text : withoutMask(text, pale);
  const pieces = print === lines.text ? parts : findComponents(print).filter((part) => !isEdge(part, page));
  const components = withPrintUnderStrokes(print, pieces, letterHeight);
  const words = findWords(components, letterHeight);
  const close = findWords(components, letterHeight, CLOSE);
  const tight = findWords(components, letterHeight, TIGHT);
  const ruled = findRuledTables(ownFrames, words, { close, tight }, letterHeight);
  const clean = withoutRules(flat, withoutPrint(lines.mask), letterHeight);
  if (isDashed) whiten(clean, lines.text, withoutPrint(dashed.mask));
  if (pale) keepPrint(clean, print, letterHeight);
  const tables = ruled
    .map((table) => withOverhangingPrint(table, words))
    .map((table) => withCrossingPrint(table, { close, tight }, letterHeight))
    .sort((a, b) => a.top - b.top);
  return {
    clean,
    ruled: {
      page: flat,
      mask,
      rows: lines.traces,
    },
    ...(original.marks && { marks: original.marks }),
    components,
    letterHeight,
    words,
    close,
    tables,
  };
}

function flatInk(page: Raster): { flat: EvenPage; ink: Ink } {
  const flat = normaliseIllumination(page, Math.max(15, Math.round(page.width / 50)));
  return { flat, ink: findInk(flat) };
}

/** The upper and the lower edge of a fill part rows as rules do. */
function edgesOf({ left, right, top, bottom }: Extent): readonly RuledLine[] {
  return [top, bottom].map((at) => ({ from: left, to: right, at, slope: 0, thickness: 1 }));
}

/** The rim left by cropping a photo: a pixel or two outside the page. */
function isEdge({ left, top, right, bottom }: Component, { width, height }: Raster): boolean {
  const acrossRim = (left === 0 || right === width) && right - left <= 2;
  const alongRim = (top === 0 || bottom === height) && bottom - top <= 2;
  return acrossRim || alongRim;
}

function withMask(mask: Uint8Array, more: Uint8Array): Uint8Array {
  const both = mask.slice();
  forInk(more, (i) => {
    both[i] = 1;
  });
  return both;
}

function cleared(mask: Uint8Array, print: Uint8Array): Uint8Array {
  const rest = mask.slice();
  forInk(print, (i) => {
    rest[i] = 0;
  });
  return rest;
}

function withoutMask(ink: Ink, mask: Uint8Array): Ink {
  return { ...ink, bits: cleared(ink.bits, mask) };
}

/** Takes out the masked pixels and the gray of their edges; letters that touch them keep theirs. */
function whiten({ width, pixels }: Raster, { bits }: Ink, mask: Uint8Array): void {
  forInk(mask, (i) => {
    if (i < width || i >= pixels.length - width) return;
    for (const near of [i, i - 1, i + 1, i - width, i + width]) if (mask[near] || !bits[near]) pixels[near] = 255;
  });
}
