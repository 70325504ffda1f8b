import type { LineImage, LineReading, LineRecogniser } from '../line-recogniser.ts';
import type { Raster } from '../raster.ts';
import { cutLine } from '../structure/cells/cell-lines.ts';
import type { PageStructure } from '../structure/find-tables.ts';
import type { Word } from '../structure/tables/words.ts';
import { legibleLetters, MAX_WORD_LENGTH } from './legible-letters.ts';

/** In letter heights: words of several letters. */
const MIN_LENGTH = 2.5;
const MAX_HEIGHT = 1.8;
/** Of a page's words, by darkness, those that may be the other side's; how many are read both ways at first, and how many if one of these says so. */
const PALEST = 0.4;
const FIRST_WORDS = 12;
const MORE_WORDS = 24;
/** Part of the darkness of the page's own words that half of these have at most: print of one darkness is of one side. */
const OWN = 0.9;
const MAX_SHARE_OF_DARKNESS = 0.85;
/** Thresholds for deciding a word's orientation: the number of letters likely right, and their ratio to the other orientation. */
const MIN_LETTERS = 2;
const TIMES_AS_MANY = 2;
/** Words that are read in the mirror alone, so that the page's other side shines through. */
const MIN_MIRRORED = 3;
/** Part of a word's pixels that its strokes take up at least. */
const STROKES = 0.08;
/** Of the other side's words by darkness, the one that most are no darker than; and the part of its darkness that is taken from the whole page. */
const USUAL = 0.75;
const TAKEN = 0.75;

/**
 * Removes most of the print that shines through thin paper, if that print is legible in a mirror. The rest is so much paler than the
 * page's own that rules and letters can be distinguished by darkness.
 * @returns null if nothing shines through.
 */
export async function withoutOtherSide(
  page: Raster,
  structure: PageStructure,
  recogniser: LineRecogniser,
): Promise<Raster | null> {
  const pale = palestWords(structure);
  if (pale.length < MIN_MIRRORED) return null;
  const first = await mirroredOf(spread(pale, FIRST_WORDS), structure, recogniser);
  if (first.length === 0) return null;
  const mirrored = await mirroredOf(spread(pale, MORE_WORDS), structure, recogniser);
  if (mirrored.length < MIN_MIRRORED) return null;
  const usual = mirrored[Math.floor(USUAL * mirrored.length)]!.darkness;
  return lightened(page, structure.ruled.page, TAKEN * usual);
}

interface PaleWord {
  readonly word: Word;
  readonly darkness: number;
}

/** The palest first. */
function palestWords({ words, letterHeight, ruled }: PageStructure): readonly PaleWord[] {
  const measured = words
    .filter(
      ({ left, right, top, bottom }) =>
        right - left > MIN_LENGTH * letterHeight && bottom - top < MAX_HEIGHT * letterHeight,
    )
    .map((word) => ({ ...word, right: Math.min(word.right, word.left + MAX_WORD_LENGTH * letterHeight) }))
    .map((word) => ({ word, darkness: darknessOf(word, ruled.page) }))
    .sort((a, b) => a.darkness - b.darkness);
  const pale = measured.slice(0, Math.ceil(PALEST * measured.length));
  const own = measured[Math.floor(OWN * measured.length)]?.darkness ?? 0;
  return (pale[pale.length >> 1]?.darkness ?? 0) <= MAX_SHARE_OF_DARKNESS * own ? pale : [];
}

/** How dark the strokes of a word are, 255 less their level. */
function darknessOf({ left, right, top, bottom }: Word, { width, pixels }: Raster): number {
  const levels: number[] = [];
  for (let y = Math.floor(top); y < bottom; y++)
    for (let x = Math.floor(left); x < right; x++) levels.push(pixels[y * width + x]!);
  levels.sort((a, b) => a - b);
  return 255 - levels[Math.floor(STROKES * levels.length)]!;
}

function spread<T>(all: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, i) => all[Math.floor(i * step)]!);
}

/** Words that are legible in a mirror only. */
async function mirroredOf(
  words: readonly PaleWord[],
  structure: PageStructure,
  recogniser: LineRecogniser,
): Promise<readonly PaleWord[]> {
  const lines = words.map(({ word }) => cutLine(word, word, structure));
  const asTheyStand = await recogniser.recognise(lines);
  const doubted = [...words.keys()].filter((i) => !isOwn(asTheyStand[i]!));
  const mirrored = await recogniser.recognise(doubted.map((i) => mirror(lines[i]!)));
  return doubted.flatMap((i, n) => {
    const [asItStands, inMirror] = [legibleLetters(asTheyStand[i]!), legibleLetters(mirrored[n]!)];
    return inMirror >= MIN_LETTERS && inMirror > TIMES_AS_MANY * asItStands ? [words[i]!] : [];
  });
}

/** Whether most letters of a word were read without a mirror: in one it has no more letters, and never twice as many. */
function isOwn(reading: LineReading): boolean {
  return TIMES_AS_MANY * legibleLetters(reading) >= Math.max(MIN_LETTERS, reading.text.text.length);
}

function mirror({ width, height, pixels }: LineImage): LineImage {
  const mirrored = pixels.slice();
  for (let y = 0; y < height; y++) mirrored.subarray(y * width, (y + 1) * width).reverse();
  return { width, height, pixels: mirrored };
}

/**
 * The page with pale ink lightened by this amount; black stays.
 * @param even the page on even, white paper.
 */
function lightened(page: Raster, even: Raster, taken: number): Raster {
  const kept = (level: number) => 255 - (Math.max(0, 255 - level - taken) * 255) / (255 - taken);
  // By how much paper shines more where ink of a level is paler.
  const gains = Float32Array.from({ length: 256 }, (_, level) => kept(level) / Math.max(1, level));
  const pixels = page.pixels.map((level, i) => Math.min(255, level * gains[even.pixels[i]!]!));
  return { ...page, pixels };
}
