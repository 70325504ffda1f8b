import { type Print, partOfPrint } from '../print.ts';
import { doubtedPrint } from './split-numbers.ts';

/** Two fractions with as many places, two or four, and nothing between them; the first may have lost its start. */
const GLUED = /^(?<first>\d{0,3}\.(?:\d{4}|\d{2}))(?<second>\d{1,3}\.(?:\d{4}|\d{2}))$/;

/** A print of narrow columns whose numbers run into each other, `6.00002.0000`: two prints, doubted. */
export function partGluedNumbers(print: Print): readonly Print[] {
  const { first, second } = GLUED.exec(print.text)?.groups ?? {};
  if (first === undefined || second === undefined || placesOf(first) !== placesOf(second)) return [print];
  const parts = [partOfPrint(print, 0, first.length), partOfPrint(print, first.length, print.text.length)];
  return parts.map(doubtedPrint);
}

function placesOf(fraction: string): number {
  return fraction.length - fraction.indexOf('.');
}
