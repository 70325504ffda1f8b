import type { Rotation } from '../geometry.ts';
import type { LineImage, LineReading, LineRecogniser } from '../line-recogniser.ts';
import type { Raster } from '../raster.ts';
import { cutLine } from '../structure/cell-lines.ts';
import { findTables, type PageStructure } from '../structure/find-tables.ts';
import type { Word } from '../structure/words.ts';
import { turnRaster } from './quarter-turn.ts';
import { type TextAxis, textAxes } from './text-axis.ts';

/** Words read at a time in every direction still in question, and the most of such rounds. */
const WORDS_A_ROUND = 4;
const MAX_ROUNDS = 5;
/** In letter heights; more of a word tells no more about what is up. */
const MAX_LENGTH = 12;
/** A direction whose words are read so much less surely than the best one's is out. */
const DECISIVE = 0.2;
/** What a reading counts at least, so that no single word outvotes the others. */
const MIN_SURENESS = -1.5;

/**
 * Counter-clockwise turn that makes a straight page upright. The shapes of its words tell along which axis the lines run;
 * some words are then read from both ends, and the way that reads surest wins. Where the shapes do not tell, both axes
 * are tried.
 */
export async function findUpright(page: Raster, recogniser: LineRecogniser): Promise<Rotation> {
  let open = textAxes(page).flatMap((axis) => directionsAlong(axis, page));
  for (let round = 0; round < MAX_ROUNDS && open.length > 1; round++) {
    const lines = open.map(({ rounds }) => rounds[round] ?? []);
    const readings = await recogniser.recognise(lines.flat());
    let next = 0;
    open = open.map((direction, index) => {
      const own = readings.slice(next, next + lines[index]!.length);
      next += own.length;
      return { ...direction, sureness: [...direction.sureness, ...own.map(surenessOf)] };
    });
    open.sort((a, b) => mean(b.sureness) - mean(a.sureness));
    const best = mean(open[0]!.sureness);
    open = open.filter(({ sureness }) => best - mean(sureness) < DECISIVE);
  }
  return open[0]?.turn ?? 0;
}

interface Direction {
  readonly turn: Rotation;
  readonly rounds: readonly (readonly LineImage[])[];
  readonly sureness: readonly number[];
}

function directionsAlong(axis: TextAxis, page: Raster): readonly Direction[] {
  const turn = axis === 'down' ? 90 : 0;
  const structure = findTables(turnRaster(page, turn));
  if (!structure) return [];
  const rounds = roundsOf(tellingWords(structure)).map((round) => round.map((word) => cutLine(word, word, structure)));
  const turned = rounds.map((round) => round.map((line) => turnRaster(line, 180)));
  return [
    { turn, rounds, sureness: [] },
    { turn: turn === 0 ? 180 : 270, rounds: turned, sureness: [] },
  ];
}

/** Words of several letters, since a lone digit may read well on its head; in reading order. Of longer ones, the beginning. */
function tellingWords({ words, letterHeight }: PageStructure): readonly Word[] {
  const telling = words.filter(({ left, right, top, bottom }) => {
    const length = (right - left) / letterHeight;
    return length > 3.5 && length < MAX_LENGTH && bottom - top < 1.8 * letterHeight;
  });
  const chosen = telling.length >= WORDS_A_ROUND ? telling : words;
  return chosen
    .map((word) => ({ ...word, right: Math.min(word.right, word.left + MAX_LENGTH * letterHeight) }))
    .sort((a, b) => a.top - b.top || a.left - b.left);
}

/** Words for every round, each time from all over the page. */
function roundsOf(words: readonly Word[]): readonly (readonly Word[])[] {
  const count = Math.min(words.length, WORDS_A_ROUND * MAX_ROUNDS);
  const rounds: Word[][] = Array.from({ length: Math.ceil(count / WORDS_A_ROUND) }, () => []);
  for (let i = 0; i < count; i++) rounds[i % rounds.length]!.push(words[Math.floor((i * words.length) / count)]!);
  return rounds;
}

/**
 * Logarithm of a reading's probability; long words count for more, but not by their full length. Nearly nothing read is no
 * reading.
 */
function surenessOf({ text: { text, confidence } }: LineReading): number {
  return text.length < 2 ? MIN_SURENESS : Math.max(MIN_SURENESS, Math.log(confidence) / Math.sqrt(text.length));
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? MIN_SURENESS : values.reduce((sum, value) => sum + value, 0) / values.length;
}
