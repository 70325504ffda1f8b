import { DOUBT, doubtedReading, joinReadings, partOf, productOf } from '../../reading/reading-parts.ts';
import type { Reading, ReadText } from '../../reading/table-reader.ts';
import type { Template } from '../../reading/template.ts';
import type { ColumnKind } from '../headers/column-kinds.ts';
import { matchHeader, withoutEnglish } from '../headers/header-words.ts';
import { USUAL_DECIMALS } from '../numbers/fixed-places.ts';
import { DIGIT_GAP } from '../numbers/split-numbers.ts';
import { betweenMarks, MARK } from './dose-marks.ts';
import { numbersBetweenDoubtedMarks } from './doubted-marks.ts';

const MARKS = new RegExp(MARK, 'g');
/** The order of fields that a form prints in one column. */
const DOSE: readonly ColumnKind[] = ['quantity', 'timesPerDay', 'days'];
/** A number, perhaps with its unit. A drug is taken a whole number of times, for a whole number of days. */
const DOSE_NUMBER = /^\d{1,6}(?:[.,]\d{1,6})?(?=\s?\p{L}{0,3}$)/u;
/** A dose with decimals whose point was not read: a rule that runs along the feet of print takes it out. */
const WITHOUT_POINT = new RegExp(String.raw`^\d{1,3}[ _](?=\d\d)(?:${USUAL_DECIMALS})(?=\s?\p{L}{0,3}$)`, 'u');
const COUNT = /^\d{1,3}(?:\.0{1,4})?(?=\s?\p{L}{0,3}$)/u;
/** All three with their units, and no digit between them. */
const WITH_UNITS =
  /^(?<dose>\d{1,6}(?:[.,]\d{1,6})?)\s?\p{L}{1,3}[^\p{L}\d]*(?<times>\d{1,2})회[^\p{L}\d]*(?<days>\d{1,3})일$/du;
/** All three, the last of them before what a stroke or print of the paper's other side was read as. */
const BEFORE_NOISE =
  /^(?<dose>\d{1,3}(?:\.\d{1,4})?)(?:\s?\p{L}{1,3})?\/(?<times>\d{1,2})\/(?<days>\d{1,3})(?:\s+\D|\p{Script=Hangul}{2})/du;
/** Digits, marks and short units, and digits enough for three numbers. */
const LIKE_DOSE = /^(?=(?:\D*\d){3})(?!.*\p{L}{4})[\p{L}\d.,\s/×*·|_]+$/u;
/** Minimum shares of the lines that look like doses: all, and those without a read mark between numbers. */
const MIN_READ_SHARE = 0.25;
const MIN_UNREAD = 2;

/**
 * The words for dose, times a day and days that a header's lines announce with marks between them; null if they do not. An unread mark at
 * the end of a line starts a new word, or continues the same.
 */
export function doseWords(lines: readonly string[], template: Template): readonly string[] | null {
  for (const between of ['', '/']) {
    const text = lines.join(between);
    const words = (withoutEnglish(text) ?? text)
      .split(MARK)
      .map((word) => word.trim())
      .filter((word) => word !== '');
    const areDose =
      words.length === DOSE.length && words.every((word, n) => matchHeader(word, template)?.kind === DOSE[n]);
    if (areDose) return words;
  }
  return null;
}

/** Dose, times a day and days, without their units, which marks part, or units where a mark was not read; null where a text shows none. */
export function doseNumbers(reading: Reading): readonly Reading[] | null {
  const marks = [...reading.text.matchAll(MARKS)].map(({ index }) => index);
  const parted =
    marks.length === DOSE.length - 1
      ? numbersBetween(reading, marks)
      : (numbersIn(WITH_UNITS, reading) ?? numbersBetweenDoubtedMarks(reading));
  return parted ?? numbersIn(BEFORE_NOISE, reading);
}

/**
 * The three numbers between two marks. Each is at most as sure as the adjacent marks, and as any other possible digit up to the next
 * digits.
 */
function numbersBetween(reading: Reading, marks: readonly number[]): readonly Reading[] | null {
  const { text, letters, rivals } = reading;
  const parts = [...marks, text.length].map((end, index) => {
    const start = (marks[index - 1] ?? -1) + 1;
    // A dose may start with its point.
    const [from, to] = index === 0 ? betweenMarks(text, start, end, /\s/) : betweenMarks(text, start, end);
    const print = text.slice(from, to);
    const number = index === 0 ? (DOSE_NUMBER.exec(print) ?? WITHOUT_POINT.exec(print)) : COUNT.exec(print);
    const isCut = index === 0 && (/[.,]/.test(text[to] ?? '') || /[ _]/.test(number?.[0] ?? ''));
    return number && { from, to: from + number[0].length, end: to, isCut };
  });
  if (!parts.every((part) => part !== null)) return null;
  const between = (from: number, to: number) =>
    productOf(
      (letters?.slice(from, to) ?? []).filter(
        (_, index) => MARK.test(text[from + index]!) || /\d/.test(rivals?.[from + index] ?? ''),
      ),
    );
  return parts.map(({ from, to, isCut }, index) => {
    const [before, after] = [parts[index - 1], parts[index + 1]];
    const sureness =
      (before ? between(before.end, from) : 1) *
      (after ? between(parts[index]!.end, after.from) : 1) *
      (isCut ? DOUBT : 1);
    const part = partOf(reading, from, to);
    return { text: part.text.replace(/[ _]/, '.'), confidence: part.confidence * sureness };
  });
}

/** The same by units, or by the texts behind the numbers: doubted, since a mark or stroke may have become a digit. */
function numbersIn(form: RegExp, reading: Reading): readonly Reading[] | null {
  const found = form.exec(reading.text)?.indices?.groups;
  if (!found) return null;
  return [found.dose!, found.times!, found.days!].map((place) => doubtedReading(partOf(reading, ...place)));
}

/** Whether a text shows the digits of a dose, though not which of its signs are the marks. */
export function isLikeDose(text: string): boolean {
  return LIKE_DOSE.test(text);
}

/** Whether a column below such a header holds doses, by how many of its lines show three numbers and how many others look like them. */
export function areDoses(read: number, unread: number): boolean {
  return read === 0 ? unread >= MIN_UNREAD : read >= MIN_READ_SHARE * (read + unread);
}

/** Placeholder for each of the three numbers if the marks between them were not read: ink, but not a number. */
export function unreadNumber({ text }: Reading): Reading {
  return { text: `${text} ?`, confidence: 0 };
}

/**
 * The texts of a row's neighbouring cells as one line. It is doubted: the rule between the cells may have cut a digit, or be one. Null if
 * two overlap, so that one digit may have been read twice.
 */
export function joinedAcross(pieces: readonly ReadText[]): Reading | null {
  let joined: Reading = pieces[0]!;
  for (const [index, piece] of pieces.slice(1).entries()) {
    const { box } = pieces[index]!;
    const gap = (piece.box.x - box.x - box.width) / Math.min(box.height, piece.box.height);
    if (gap < 0) return null;
    joined = joinReadings([joined, piece], gap < DIGIT_GAP ? '' : ' ');
  }
  const { text, confidence, letters, rivals } = joined;
  return {
    text,
    confidence: confidence * DOUBT,
    ...(letters && { letters: letters.map((each) => each * DOUBT) }),
    ...(rivals && { rivals }),
  };
}
