import { doubtedReading, partOf } from '../../reading/reading-parts.ts';
import type { Reading } from '../../reading/table-reader.ts';
import { USUAL_DECIMALS } from '../numbers/fixed-places.ts';
import { betweenMarks, MARK } from './dose-marks.ts';

/** Misreadings of a stroke between two numbers. */
const STROKE_LIKE = /[17]/;
/** From here on a digit is surely none, unless the reader itself says that it may be a stroke. */
const SURE = 0.97;
/** A whole dose, or one in tenths, quarters or thirds; taken a few times a day; for days. */
const FORMS = [new RegExp(String.raw`^\d{1,4}(?:[.,](?:${USUAL_DECIMALS}))?$`), /^[1-8]$/, /^[1-9]\d{0,2}$/] as const;

/**
 * Dose, times a day and days where a mark between them was read as a digit or as a blank, 1.07 377 for 1.0/3/7: if there is only one way to see
 * two marks in it. Doubted.
 */
export function numbersBetweenDoubtedMarks(reading: Reading): readonly Reading[] | null {
  const { text } = reading;
  const places = Array.from(text, (_, at) => at).filter((at) => mayBeMark(reading, at));
  const found = new Map<string, readonly (readonly [from: number, to: number])[]>();
  for (const first of places)
    for (const second of places.filter((at) => at > first)) {
      const parts = [
        [0, first],
        [first + 1, second],
        [second + 1, text.length],
      ].map(([from, to]) => betweenMarks(text, from!, to!));
      const numbers = parts.map(([from, to]) => text.slice(from, to));
      if (numbers.every((number, n) => FORMS[n]!.test(number))) found.set(numbers.join('/'), parts);
    }
  const [only, ...others] = found.values();
  if (!only || others.length > 0) return null;
  return only.map(([from, to]) => doubtedReading(partOf(reading, from, to)));
}

function mayBeMark({ text, letters, rivals }: Reading, at: number): boolean {
  const letter = text[at]!;
  if (MARK.test(letter) || letter === ' ') return true;
  const isUnsure = (letters?.[at] ?? 1) < SURE || MARK.test(rivals?.[at] ?? '');
  // Forms with blanks around their marks have no blanks within a number.
  const isAlone = text[at - 1] === ' ' && text[at + 1] === ' ';
  return STROKE_LIKE.test(letter) && (isUnsure || isAlone);
}
