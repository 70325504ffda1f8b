import { partOf, productOf } from '../reading/reading-parts.ts';
import type { Reading } from '../reading/table-reader.ts';
import type { Template } from '../reading/template.ts';
import { type ColumnKind, matchHeader, withoutEnglish } from './header-words.ts';

/** What parts the three: a mark, or a letter that a cross is read as. */
const MARKS = /[/×*·|xX]/;
const MARK = new RegExp(MARKS, 'g');
/** What a form prints in one column, in this order. */
const DOSE: readonly ColumnKind[] = ['quantity', 'timesPerDay', 'days'];
/** A number, perhaps with its unit. A drug is taken a whole number of times, for a whole number of days. */
const DOSE_NUMBER = /^\d{1,6}(?:[.,]\d{1,6})?(?=\s?\p{L}{0,3}$)/u;
const COUNT = /^\d{1,3}(?:\.0{1,4})?(?=\s?\p{L}{0,3}$)/u;
/** What a mark or the blank beside it may be read as besides: no part of a number there. */
const BESIDE_MARK = /[\s._,]/;
/** Digits, marks and short units, and digits enough for three numbers. */
const LIKE_DOSE = /^(?:\p{L}{0,3}[\d.,\s/×*·|xX_]+)+\p{L}{0,3}$/u;
const MIN_DIGITS = 3;
/** What is left of the confidence in a dose whose last places may be read as the mark behind it. */
const DOUBT = 0.5;

/** The words for dose, times a day and days that a header announces with marks between them; null where it does not. */
export function doseWords(text: string, template: Template): readonly string[] | null {
  const words = (withoutEnglish(text) ?? text)
    .split(MARKS)
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const areDose =
    words.length === DOSE.length && words.every((word, n) => matchHeader(word, template)?.kind === DOSE[n]);
  return areDose ? words : null;
}

/**
 * Dose, times a day and days, without their units, where exactly two marks part them. Each is read no more surely than what stands between it
 * and the next digits: a mark that may be a digit leaves both numbers beside it unsure.
 */
export function doseNumbers(reading: Reading): readonly Reading[] | null {
  const { text, letters } = reading;
  const marks = [...text.matchAll(MARK)].map(({ index }) => index);
  if (marks.length !== DOSE.length - 1) return null;
  const parts = [...marks, text.length].map((end, index) => {
    const start = (marks[index - 1] ?? -1) + 1;
    const isMark = (at: number) => BESIDE_MARK.test(text[at]!);
    let [from, to] = [start, end];
    // A dose may begin with its point.
    while (from < to && (index === 0 ? /\s/.test(text[from]!) : isMark(from))) from++;
    while (to > from && isMark(to - 1)) to--;
    const number = (index === 0 ? DOSE_NUMBER : COUNT).exec(text.slice(from, to));
    return number && { from, to: from + number[0].length, end: to, isCut: index === 0 && /[.,]/.test(text[to] ?? '') };
  });
  if (!parts.every((part) => part !== null)) return null;
  const between = (from: number, to: number) => (letters ? productOf(letters.slice(from, to)) : 1);
  return parts.map(({ from, to, isCut }, index) => {
    const [before, after] = [parts[index - 1], parts[index + 1]];
    const sureness =
      (before ? between(before.end, from) : 1) *
      (after ? between(parts[index]!.end, after.from) : 1) *
      (isCut ? DOUBT : 1);
    const part = partOf(reading, from, to);
    return { text: part.text, confidence: part.confidence * sureness };
  });
}

/** Whether a text shows the digits of a dose, though not which of its signs are the marks. */
export function isLikeDose(text: string): boolean {
  return LIKE_DOSE.test(text) && (text.match(/\d/g)?.length ?? 0) >= MIN_DIGITS;
}

/** What stands in place of each of the three numbers where the marks between them were not read: ink, but no number. */
export function unreadNumber({ text }: Reading): Reading {
  return { text: `${text} ?`, confidence: 0 };
}
