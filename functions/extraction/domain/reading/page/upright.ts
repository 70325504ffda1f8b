import type { Rotation } from '../geometry.ts';
import type { LineImage, LineReading, LineRecogniser } from '../line-recogniser.ts';
import type { Raster } from '../raster.ts';
import { cutLine } from '../structure/cells/cell-lines.ts';
import { findPrint, type Print, wordsOf } from '../structure/find-print.ts';
import type { Word } from '../structure/tables/words.ts';
import { legibleLetters, MAX_WORD_LENGTH } from './legible-letters.ts';
import { turnRaster } from './quarter-turn.ts';
import { shrink } from './shrink.ts';
import { type TextAxis, textAxes } from './text-axis.ts';

/** Longer side at which the words of most pages can still be read. */
const ENOUGH_PIXELS = 1000;
/** Words read at a time in every direction still in question, and the most of such rounds. */
const WORDS_A_ROUND = 4;
const MAX_ROUNDS = 6;
/** Letters surely read that a direction must be ahead by to win before all words are read, and in the end. */
const DECISIVE_LEAD = 9;
const MIN_LEAD = 2.5;
/** Syllables of plain text in the first words, how surely each is read, and their share of all letters read. */
const PLAIN = { syllables: 8, sure: 0.95, share: 0.6 };
const SYLLABLE = /[가-힣]/;
/** Weight of the orientation tag: a few letters, so that clear text outvotes a wrong tag. */
const TAG_WEIGHT = 3;
/** Letters a word, read surely in the best direction; with fewer the lines may run along the other axis. */
const MIN_LETTERS_A_WORD = 1.2;

export interface Upright {
  /** Counter-clockwise. */
  readonly turn: Rotation;
  /** The page's print in this orientation, if it had to be found. */
  readonly print: Print | null;
}

/**
 * Finds how to turn a straight page upright. The shapes of its words show the axis of the lines; some words are then read from both ends,
 * and the orientation with most letters read surely wins. If the shapes are inconclusive, or little is legible along their axis, both
 * axes are tried.
 * @param expected the turn that the picture's orientation tag asks for; it decides if the text does not.
 */
export async function findUpright(page: Raster, recogniser: LineRecogniser, expected: Rotation): Promise<Upright> {
  const axes = textAxes(page);
  const along = (raster: Raster) =>
    upright(
      axes.flatMap((axis) => directionsAlong(axis, raster, expected)),
      recogniser,
      expected,
    );
  const factor = Math.floor(Math.max(page.width, page.height) / ENOUGH_PIXELS);
  if (axes.length > 1 && factor > 1) {
    // One of the two axes is searched in vain: search for words on a smaller page, and on the full one only if they are inconclusive.
    const found = await along(shrink(page, factor));
    if (found[0] && isLegible(found[0]) && isDecided(found)) return { turn: found[0].turn, print: null };
  }
  const found = await along(page);
  const best = found[0];
  if (axes.length !== 1 || (best && isLegible(best))) return winner(found, expected);
  const other = await compare(directionsAlong(axes[0] === 'down' ? 'across' : 'down', page, expected), recogniser);
  // Against the shapes only clear text counts.
  return winner(
    [...other.filter(isLegible), ...found].sort((a, b) => b.letters - a.letters),
    expected,
  );
}

function isLegible({ letters, words }: Direction): boolean {
  return words > 0 && letters >= MIN_LETTERS_A_WORD * words;
}

/** Whether the best direction is far ahead. */
function isDecided([best, second]: readonly Direction[]): boolean {
  return !best || !second || best.letters - second.letters >= DECISIVE_LEAD;
}

/** The expected direction alone, where its first words are plain text; otherwise all of them, the best first. */
async function upright(
  all: readonly Direction[],
  recogniser: LineRecogniser,
  expected: Rotation,
): Promise<readonly Direction[]> {
  const first = all.find(({ turn }) => turn === expected);
  if (first === undefined) return compare(all, recogniser);
  const [words = [], ...rest] = first.rounds;
  const readings = await recogniser.recognise(words);
  const letters = readings.reduce((sum, reading) => sum + legibleLetters(reading), first.letters);
  const read = { ...first, letters, words: words.length };
  if (isPlain(readings)) return [read];
  return compare(
    all.map((one) => (one === first ? { ...read, rounds: [[], ...rest] } : one)),
    recogniser,
  );
}

/** Whether print is read as plain text: no other direction of syllables shows as many, each as surely. */
function isPlain(readings: readonly LineReading[]): boolean {
  const all = readings.flatMap(({ text: { text, letters } }) =>
    [...text].map((letter, at) => letters !== undefined && letters[at]! >= PLAIN.sure && SYLLABLE.test(letter)),
  );
  const sure = all.filter((isSure) => isSure).length;
  return sure >= PLAIN.syllables && sure >= PLAIN.share * all.length;
}

/** Reads the words of all directions until one is far ahead; the best first. */
async function compare(all: readonly Direction[], recogniser: LineRecogniser): Promise<readonly Direction[]> {
  let directions = all;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (round > 0 && isDecided(directions)) break;
    const lines = directions.map(({ rounds }) => rounds[round] ?? []);
    if (lines.every((own) => own.length === 0)) break;
    const readings = await recogniser.recognise(lines.flat());
    let next = 0;
    directions = directions
      .map((direction, index) => {
        const own = readings.slice(next, next + lines[index]!.length);
        next += own.length;
        const letters = own.reduce((sum, reading) => sum + legibleLetters(reading), direction.letters);
        return { ...direction, letters, words: direction.words + own.length };
      })
      .sort((a, b) => b.letters - a.letters);
  }
  return directions;
}

/** The best direction, where it is ahead of the expected one by more than chance. */
function winner(directions: readonly Direction[], expected: Rotation): Upright {
  const [best] = directions;
  if (!best) return { turn: expected, print: null };
  const tagged = directions.find(({ turn }) => turn === expected);
  const { turn, print } = tagged && best.letters - tagged.letters < MIN_LEAD ? tagged : best;
  return { turn, print };
}

interface Direction extends Upright {
  readonly rounds: readonly (readonly LineImage[])[];
  /** How many letters were read surely, in how many words. */
  readonly letters: number;
  readonly words: number;
}

function directionsAlong(axis: TextAxis, page: Raster, expected: Rotation): readonly Direction[] {
  const [first, second] = axis === 'down' ? ([90, 270] as const) : ([0, 180] as const);
  // The print is found in the expected orientation; if that one wins, it is reused.
  const [turn, opposite] = expected === second ? [second, first] : [first, second];
  const print = findPrint(turnRaster(page, turn));
  if (!print) return [];
  const rounds = roundsOf(tellingWords(print)).map((round) => round.map((word) => cutLine(word, word, print)));
  const turned = rounds.map((round) => round.map((line) => turnRaster(line, 180)));
  const unread = (of: Rotation) => ({ turn: of, letters: of === expected && of !== 0 ? TAG_WEIGHT : 0, words: 0 });
  return [
    { ...unread(turn), print, rounds },
    { ...unread(opposite), print: null, rounds: turned },
  ];
}

/** Words of several letters, since a lone digit may read well on its head; in reading order. Of longer ones, the start. */
function tellingWords(print: Print): readonly Word[] {
  const { letterHeight } = print;
  const words = wordsOf(print);
  const telling = words.filter(({ left, right, top, bottom }) => {
    const length = (right - left) / letterHeight;
    return length > 3.5 && length < MAX_WORD_LENGTH && bottom - top < 1.8 * letterHeight;
  });
  const chosen = telling.length >= WORDS_A_ROUND ? telling : words;
  return chosen
    .map((word) => ({ ...word, right: Math.min(word.right, word.left + MAX_WORD_LENGTH * letterHeight) }))
    .sort((a, b) => a.top - b.top || a.left - b.left);
}

/** Words for every round, each time from all over the page. */
function roundsOf(words: readonly Word[]): readonly (readonly Word[])[] {
  const count = Math.min(words.length, WORDS_A_ROUND * MAX_ROUNDS);
  const rounds: Word[][] = Array.from({ length: Math.ceil(count / WORDS_A_ROUND) }, () => []);
  for (let i = 0; i < count; i++) rounds[i % rounds.length]!.push(words[Math.floor((i * words.length) / count)]!);
  return rounds;
}
