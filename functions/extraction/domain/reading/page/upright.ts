import type { Rotation } from '../geometry.ts';
import type { LineImage, LineReading, LineRecogniser } from '../line-recogniser.ts';
import type { Raster } from '../raster.ts';
import { cutLine } from '../structure/cell-lines.ts';
import { findTables } from '../structure/find-tables.ts';
import type { Word } from '../structure/words.ts';
import { turnRaster } from './quarter-turn.ts';
import { type TextAxis, textAxes } from './text-axis.ts';

/** Words read in each direction. Turned the wrong way even a poor recogniser loses its confidence: a few words settle it. */
const WORDS = 12;
/** Logarithm of a letter's probability below which a reading is noise, so that no single word outvotes the others. */
const MIN_SURENESS = -0.8;

/**
 * Counter-clockwise turn that makes a straight page upright. The shapes of its words tell along which axis the lines run;
 * some words are then read from both ends, and the way that reads surest wins. Where the shapes do not tell, both axes
 * are tried.
 */
export async function findUpright(page: Raster, recogniser: LineRecogniser): Promise<Rotation> {
  const directions = textAxes(page).flatMap((axis) => directionsAlong(axis, page));
  const readings = await recogniser.recognise(directions.flatMap(({ lines }) => lines));
  let best: { turn: Rotation; sureness: number } | null = null;
  let next = 0;
  for (const { turn, lines } of directions) {
    const own = readings.slice(next, next + lines.length);
    next += lines.length;
    const sureness = own.reduce((sum, reading) => sum + surenessOf(reading), 0) / own.length;
    if (!best || sureness > best.sureness) best = { turn, sureness };
  }
  return best?.turn ?? 0;
}

interface Direction {
  readonly turn: Rotation;
  readonly lines: readonly LineImage[];
}

function directionsAlong(axis: TextAxis, page: Raster): readonly Direction[] {
  const turn = axis === 'down' ? 90 : 0;
  const structure = findTables(turnRaster(page, turn));
  if (!structure) return [];
  const { letterHeight, words } = structure;
  const telling = words.filter(
    (word) =>
      lengthOf(word) > 3 * letterHeight && lengthOf(word) < 12 * letterHeight && heightOf(word) < 1.8 * letterHeight,
  );
  const chosen = spread(telling.length >= 4 ? telling : words, WORDS);
  if (chosen.length === 0) return [];
  const lines = chosen.map((word) => cutLine(word, word, structure));
  return [
    { turn, lines },
    { turn: turn === 0 ? 180 : 270, lines: lines.map((line) => turnRaster(line, 180)) },
  ];
}

/** How sure a reading is, a letter; nearly nothing read is no reading. */
function surenessOf({ text: { text, confidence } }: LineReading): number {
  return text.length < 2 ? MIN_SURENESS : Math.max(MIN_SURENESS, Math.log(confidence) / text.length);
}

/** Some of the words, evenly over the page. */
function spread(words: readonly Word[], count: number): readonly Word[] {
  const sorted = [...words].sort((a, b) => a.top - b.top || a.left - b.left);
  const step = Math.max(1, sorted.length / count);
  return Array.from({ length: Math.min(count, sorted.length) }, (_, index) => sorted[Math.floor(index * step)]!);
}

function lengthOf(word: Word): number {
  return word.right - word.left;
}

function heightOf(word: Word): number {
  return word.bottom - word.top;
}
