import { partOf } from '../../reading/reading-parts.ts';
import type { Print } from '../print.ts';
import { doubtedReading } from './split-numbers.ts';

/** Two fractions with as many places, two or four, and nothing between them; the first may have lost its beginning. */
const GLUED = /^(?<first>\d{0,3}\.(?:\d{4}|\d{2}))(?<second>\d{1,3}\.(?:\d{4}|\d{2}))$/;

/** A print of narrow columns whose numbers run into each other, `6.00002.0000`: two prints, doubted. */
export function partGluedNumbers(print: Print): readonly Print[] {
  const { first, second } = GLUED.exec(print.text)?.groups ?? {};
  if (first === undefined || second === undefined || placesOf(first) !== placesOf(second)) return [print];
  const letter = print.box.width / print.text.length;
  const part = (from: number, to: number): Print => {
    const reading = doubtedReading(partOf(print, from, to));
    const box = { ...print.box, x: print.box.x + from * letter, width: (to - from) * letter };
    return { ...print, ...reading, numeral: reading, box, line: null };
  };
  return [part(0, first.length), part(first.length, print.text.length)];
}

function placesOf(fraction: string): number {
  return fraction.length - fraction.indexOf('.');
}
