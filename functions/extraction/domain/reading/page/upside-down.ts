import type { LineImage, LineReading, LineRecogniser } from '../line-recogniser.ts';
import type { Raster } from '../raster.ts';
import { cutLine } from '../structure/cell-lines.ts';
import { findTables } from '../structure/find-tables.ts';
import type { Word } from '../structure/words.ts';
import { turnRaster } from './quarter-turn.ts';

/** Words read both ways. Upside down even a poor recogniser loses its confidence: a few words settle it. */
const WORDS = 12;
/** Logarithm of a letter's probability below which a reading is noise. */
const MIN_SURENESS = -3;
/** No word may outvote the others. */
const MAX_VOTE = 0.7;

/** Whether a page whose lines run across stands on its head: some words are read both ways, the surer way wins. */
export async function isUpsideDown(page: Raster, recogniser: LineRecogniser): Promise<boolean> {
  const structure = findTables(page);
  if (!structure) return false;
  const { letterHeight, words } = structure;
  const telling = words.filter(
    (word) =>
      lengthOf(word) > 3 * letterHeight && lengthOf(word) < 12 * letterHeight && heightOf(word) < 1.8 * letterHeight,
  );
  const chosen = spread(telling.length >= 4 ? telling : words, WORDS);
  if (chosen.length === 0) return false;
  const upright = chosen.map((word) => cutLine(word, word, structure));
  const turned = upright.map((line): LineImage => turnRaster(line, 180));
  const readings = await recogniser.recognise([...upright, ...turned]);
  let votes = 0;
  for (let i = 0; i < chosen.length; i++) {
    const advantage = sureness(readings[i]!) - sureness(readings[chosen.length + i]!);
    votes += Math.max(-MAX_VOTE, Math.min(MAX_VOTE, advantage));
  }
  return votes < 0;
}

/** How sure a reading is, a letter; nearly nothing read is no reading. */
function sureness({ text }: LineReading): number {
  return text.text.length < 2 ? MIN_SURENESS : Math.max(MIN_SURENESS, Math.log(text.confidence) / text.text.length);
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
