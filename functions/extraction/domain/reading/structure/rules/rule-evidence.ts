import type { Raster } from '../../raster.ts';
import type { Ink } from '../ink/ink.ts';

/** Long thin ink that may be a rule: along its axis from `from` to `to`, across it at `at + slope · position`. */
export interface TracedLine {
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly slope: number;
  readonly thickness: number;
  /** Where it lies across, at every position from its beginning: paper bends, and its rules with it. */
  readonly path: Float64Array;
}

/** Whether a line across the page is a rule, and not letters that have grown together. */
export function isRowRule(line: TracedLine, flat: Raster, letterHeight: number): boolean {
  return isRule(line, flat, letterHeight, EVEN.minLength.row);
}

/**
 * Whether a line down the page is a rule.
 * @param flat turned, so that the line lies across.
 * @param text in the page's orientation.
 */
export function isColumnRule(line: TracedLine, flat: Raster, text: Ink, letterHeight: number): boolean {
  return (
    (isRule(line, flat, letterHeight, EVEN.minLength.column) || isHairline(line, flat)) &&
    !isColumnOfLetters(line, text, letterHeight)
  );
}

function isRule(line: TracedLine, flat: Raster, letterHeight: number, minLength: number): boolean {
  return (
    standsAlone(line, flat) || isEven(line, flat, minLength * letterHeight) || isUnderPrint(line, flat, letterHeight)
  );
}

/** Distance from a rule in pixels, beyond its soft edge, within which other ink is searched. */
const BESIDE = 2.5;
const MIN_ALONE = 0.72;
/** Letters that have grown together are long and thin too, but there is more ink above and below them. */
function standsAlone(line: TracedLine, flat: Raster): boolean {
  const [above, below] = beside(line, flat);
  return shareOfBoth(above, below) >= MIN_ALONE;
}

/**
 * In letter heights, across and down the page, where no letters of three lines grow together; and as parts of its length, free on both sides and
 * dark all along: the more stands alone, the less need be dark.
 */
const EVEN = { minLength: { row: 5, column: 4 }, minAlone: 0.2, minDark: 0.99, lessDark: 0.1 };

/**
 * A rule between columns or rows so tight that print lies close to it along most of its length: it is equally dark with and without print
 * nearby. Letters that have merged are lighter between their strokes.
 */
function isEven(line: TracedLine, flat: Raster, minLength: number): boolean {
  if (line.to - line.from < minLength) return false;
  const limit = darkLimit(line, flat);
  const [above, below] = beside(line, flat);
  const alone = shareOfBoth(above, below);
  const dark = shareOf(levelsAlong(line, flat, 0).map((level) => Number(level <= limit)));
  return alone >= EVEN.minAlone && dark >= EVEN.minDark - EVEN.lessDark * alone;
}

const HAIRLINE = { thickness: 1.6, minFree: 0.97 };

/**
 * A hairline down the page that is free on one side, even with numbers or a fill's edge close on the other. Letters of different lines
 * share no stroke; letters of one line may, across the page.
 */
function isHairline(line: TracedLine, flat: Raster): boolean {
  return line.thickness <= HAIRLINE.thickness && Math.max(...beside(line, flat).map(shareOf)) >= HAIRLINE.minFree;
}

/** In letter heights; and as parts of its length, free on one side and dark all along. */
const UNDER_PRINT = { minLength: 12, minFree: 0.97, minDark: 0.93 };

/**
 * A rule under print, where a program prints too low or too far to the right on a form: free on its other side, and as dark between the
 * letters as below them. Letters that have merged are lighter between their strokes.
 */
function isUnderPrint(line: TracedLine, flat: Raster, letterHeight: number): boolean {
  if (line.to - line.from < UNDER_PRINT.minLength * letterHeight) return false;
  const limit = darkLimit(line, flat);
  const dark = shareOf(levelsAlong(line, flat, 0).map((level) => Number(level <= limit)));
  return dark >= UNDER_PRINT.minDark && Math.max(...beside(line, flat).map(shareOf)) >= UNDER_PRINT.minFree;
}

/** Minimum darkness of adjacent letters relative to the rule; a sharpened picture draws a fainter seam along every rule. */
const AS_DARK = 0.5;

/** For every position along a line 1 where there is no ink close to it, above and below it. */
function beside(line: TracedLine, flat: Raster): readonly [Uint8Array, Uint8Array] {
  const limit = darkLimit(line, flat);
  const isFree = (level: number) => Number(level > limit);
  const away = line.thickness / 2 + BESIDE;
  return [levelsAlong(line, flat, -away).map(isFree), levelsAlong(line, flat, away).map(isFree)];
}

/** The level at which a neighbour is as dark as the line itself. */
function darkLimit(line: TracedLine, flat: Raster): number {
  return 255 - AS_DARK * darknessOf(line, flat);
}

export function darknessOf(line: TracedLine, flat: Raster): number {
  const own = levelsAlong(line, flat, 0).sort();
  return 255 - own[own.length >> 1]!;
}

function shareOf(flags: Uint8Array): number {
  return flags.reduce((sum, flag) => sum + flag, 0) / flags.length;
}

function shareOfBoth(a: Uint8Array, b: Uint8Array): number {
  return shareOf(a.map((flag, i) => flag & b[i]!));
}

function levelsAlong({ from, path }: TracedLine, { width, height, pixels }: Raster, away: number): Uint8Array {
  const levels = new Uint8Array(path.length);
  for (let index = 0; index < path.length; index++) {
    const y = Math.round(path[index]! + away);
    levels[index] = y < 0 || y >= height ? 255 : pixels[y * width + from + index]!;
  }
  return levels;
}

/**
 * In letter heights: how long the strokes of a lone digit, or of the vowel on the right of a syllable, are; where a rule crosses, it is dark for
 * less, and no wider is the gap between a vowel and the consonant below it.
 */
const STROKE = { min: 0.5, max: 1.6, crossing: 0.3, gap: 0.15 };
/** Part of the smear's length that strokes cover: a faint rule may cross a letter or two. */
const MIN_STROKES = 0.35;

/** Digits 1, or vowels ㅣ, below each other, joined by a smear as faint as some rules are: the dark pieces are all of a letter's height. */
function isColumnOfLetters(line: TracedLine, { width, bits }: Ink, letterHeight: number): boolean {
  const isDark = (y: number) => {
    const x = Math.round(line.at + line.slope * y);
    return [x - 1, x, x + 1].some((near) => near >= 0 && near < width && bits[y * width + near] === 1);
  };
  const pieces: Pick<TracedLine, 'from' | 'to'>[] = [];
  for (let y = line.from; y < line.to; y++) {
    const start = y;
    while (y < line.to && isDark(y)) y++;
    if (y === start) continue;
    const last = pieces.at(-1);
    if (last && start - last.to <= STROKE.gap * letterHeight) pieces[pieces.length - 1] = { from: last.from, to: y };
    else pieces.push({ from: start, to: y });
  }
  const strokes = pieces.map(({ from, to }) => to - from).filter((length) => length > STROKE.crossing * letterHeight);
  const covered = strokes.reduce((sum, length) => sum + length, 0);
  return (
    strokes.length >= 2 &&
    covered >= MIN_STROKES * (line.to - line.from) &&
    strokes.every((length) => length >= STROKE.min * letterHeight && length <= STROKE.max * letterHeight)
  );
}
