import type { Field, TextField } from '../../drug-line.ts';
import { partOf } from '../../reading/reading-parts.ts';
import type { ReadCell, Reading, ReadLine } from '../../reading/table-reader.ts';
import { isOneSyllableApart } from '../../text/jamo.ts';
import { NOISE } from '../names/noise-lines.ts';
import { markedAmount } from './marked-amount.ts';
import { isPartOfOne, partOfOne } from './parts-of-one.ts';

/**
 * A column's number format. `whole`: separators are between thousands, as any mark. `decimal`: a point starts a fraction. `thousands`:
 * fractions of one or two places; three digits behind a mark are thousands.
 */
export type NumberStyle = 'whole' | 'decimal' | 'thousands';

const THOUSANDS = /^\d{1,3}(?:[.,]\d{3})+$/;
const SEPARATED = /^(\d{1,3}(?:[.,]\d{3})+)\.(\d+)$/;
/** The share of confidence that a reading keeps if the two readings of one cell disagree, or its form is odd. */
const DOUBT = 0.5;

/** A number and the unit of a dose or of days behind it: 9 cc, 0.6667gm, 1 정. */
const WITH_UNIT =
  /^(\d[\d.,]*) ?[.…_—-]{0,2} ?(?:cc|mll?|l|mg|gm?|mcg|iu|정|개|캡슐|캅셀|포|병|관|통|튜브|매|회|번|일분?|앰플|바이알|amp|vial|tab|cap|ea|t|c|p|a|v)$/i;

/** Whether a text is a number and its unit. */
export function isMeasure(text: string): boolean {
  return WITH_UNIT.test(text.normalize('NFKC').trim());
}

/** Behind a unit, the number of the next column, where the rule between the two was not seen, or what a stroke is read as: 1정 3. */
const NEXT_NUMBER = /(?:(?<=\p{L}) |(?<=\p{Script=Hangul}|\dT))\d{1,2}$/u;

/** A form's words before the number of its column: 1회 1정, 1일 3회. */
const EACH = /^1 ?[회일] ?(?=\d)/;

/** A number, and a unit of Hangul that may have been misread. */
const WITH_WORD = /^(\d[\d.,]*) ?(\p{Script=Hangul}{2,3})$/u;
const UNIT_WORDS = ['캡슐', '캅셀', '앰플', '바이알', '튜브'];

/** A fraction, perhaps with its point read as two, and the column's rule behind it read as one more digit or letter. */
const BEFORE_RULE = /^(\d+)[.,:](\d+)[\s_.]?[Il|\]]$/;
/**
 * A fraction with its point read as two and no rule behind it: no dose is a time of the day; or read as the dash of a rule that runs through the
 * point, with the places that programs write, perhaps before its unit: 1-3 is a range.
 */
const OTHER_POINT = /^(\d+)(?::(\d+)[:.]?|-(\d\d(?:\d\d)?)|-(\d{4}) ?\p{L}{1,3})$/u;
/** A whole number whose point was read as a blank before its unit: none is given in portions of zero. */
const BLANK_POINT = /^(\d{1,2}) (0{1,2}) ?\p{L}{1,3}$/u;
/** A whole number starts with no 0: the point behind it was not read. */
const WITHOUT_POINT = /^0(\d{1,4})$/;

/** Maximum syllables as misreadings of a code's digits. */
const MAX_SYLLABLES = 4;

const EMPTY = { value: null, text: '', confidence: 1 } as const;
const UNREAD = { value: null, confidence: 0 } as const;

/** The digits and separators of a cell, without blanks and marks of currency; empty when it is not a number. */
export function numeralOf(cell: ReadCell): string {
  const numeral = readingOf(cell)
    .text.normalize('NFKC')
    .replace(/[\s₩\\원]|KRW/gi, '')
    .replace(/^[.,]+|(?<![.,])[.,]+$/g, '');
  return /^-?\d[\d.,]*$/.test(numeral) ? numeral : '';
}

/** The number before a unit, as surely read as its own digits; null without a unit. */
function measureOf({ text, lines = [] }: ReadCell): Reading | null {
  const print = text.text.normalize('NFKC').replace(/\s+/g, ' ').trim().replace(EACH, '');
  const number = beforeUnit(print);
  if (number !== undefined)
    return text.text.startsWith(number) ? partOf(text, 0, number.length) : { ...text, text: number };
  const first = NEXT_NUMBER.test(print) ? beforeUnit(print.replace(NEXT_NUMBER, '')) : undefined;
  if (first !== undefined) return { text: first, confidence: text.confidence * DOUBT };
  return lines.length === 1 ? beforeUnitApart(lines[0]!) : null;
}

function beforeUnit(print: string): string | undefined {
  return WITH_UNIT.exec(print)?.[1] ?? beforeUnitWord(print);
}

/** A detached unit "T" reads as a letter alone, but as an extra digit together with its number. */
function beforeUnitApart({ pieces = [] }: ReadLine): Reading | null {
  const [number, unit] = pieces;
  if (pieces.length !== 2 || WITH_UNIT.exec(`${number!.text} ${unit!.text}`)?.[1] !== number!.text) return null;
  return { text: number!.text, confidence: number!.confidence * unit!.confidence * DOUBT };
}

/** The number before a unit with one misread jamo. */
function beforeUnitWord(print: string): string | undefined {
  const [, number, word] = WITH_WORD.exec(print) ?? [];
  return word !== undefined && UNIT_WORDS.some((unit) => isOneSyllableApart(unit, word)) ? number : undefined;
}

/** The fraction whose point was read as another mark, or that precedes a rule read as a digit. */
function fractionOf({ text, numeral }: ReadCell): Reading | null {
  const print = text.text.trim();
  const parts = BEFORE_RULE.exec(print) ?? OTHER_POINT.exec(print) ?? BLANK_POINT.exec(print);
  const fraction = parts && `${parts[1]}.${parts[2] ?? parts[3] ?? parts[4]}`;
  if (!fraction || numeral?.text.replaceAll(',', '.') === fraction) return null;
  return { text: fraction, confidence: text.confidence * DOUBT };
}

/** One number next to strokes that were read as syllables; the numerals' reading, which has no syllables, turned them into digits. */
const AMONG_STROKES = /^[^\d\p{Script=Latin}|\]]*(?<number>\d[\d.]*)[^\d.\p{Script=Latin}|\]]*$/u;

function amongStrokes({ text, numeral }: ReadCell): Reading | null {
  const number = AMONG_STROKES.exec(text.text)?.groups?.number;
  if (number === undefined || !numeral || !/\p{Script=Hangul}/u.test(text.text)) return null;
  // The zero and the point of a fraction look like 이 together.
  const isFraction = numeral.text === `0.${number}` && /^\d{3,4}$/.test(number);
  if (isFraction) return { text: numeral.text, confidence: text.confidence * DOUBT };
  const digits = (print: string) => print.replace(/\D/g, '');
  const isLonger = digits(numeral.text).length > digits(number).length && numeral.text.includes(number);
  return isLonger ? { text: number, confidence: text.confidence * DOUBT } : null;
}

/** A number and, behind a blank, a word of the next column. */
const BEFORE_WORD = /^(\d[\d.,]*) [^\s\p{L}]*\p{L}/u;

/**
 * A cell of numbers that also spans the next column, if the rule between the two was missed, or that is the last before words without a
 * column: `60 식후30분`; returns its own part.
 */
export function ofFirstColumn(cell: ReadCell): ReadCell {
  const { text, columnSpan, lines = [] } = cell;
  const isWide = columnSpan > 1 || (lines.length === 1 && (lines[0]!.pieces?.length ?? 0) > 1);
  const number = isWide && measureOf(cell) === null ? BEFORE_WORD.exec(text.text)?.[1] : undefined;
  if (number === undefined) return cell;
  const { confidence } = partOf(text, 0, number.length);
  const read = { text: number, confidence: confidence * DOUBT };
  return { ...cell, text: read, numeral: read };
}

/** A number read this surely is correct, and unsure readings above or below it are strokes. */
const SURELY = 0.95;

/** The number of a cell whose other lines are specks or strokes, which would make more digits of it. */
function amongSpecks({ lines = [] }: ReadCell): Reading | null {
  if (lines.length < 2) return null;
  const surest = lines.reduce((a, b) => (b.confidence > a.confidence ? b : a));
  if (surest.confidence < NOISE.beside || !/^\d[\d.]*$/.test(surest.text)) return null;
  const print = surest.confidence >= SURELY ? NOISE.beside : NOISE.at;
  if (lines.some((line) => line !== surest && line.confidence >= print)) return null;
  return { text: surest.text, confidence: surest.confidence * DOUBT };
}

/** Better evidence of a cell's number than its numerals' reading, which turns a unit's letters, a rule and strokes into digits. */
function betterReadingOf(cell: ReadCell): Reading | null {
  return (
    markedAmount(cell) ??
    measureOf(cell) ??
    partOfOne(cell) ??
    fractionOf(cell) ??
    amongStrokes(cell) ??
    amongSpecks(cell)
  );
}

/** The reading for a cell's number: the one before its unit or a rule, otherwise the numerals' own, if any. */
export function readingOf(cell: ReadCell): Reading {
  return betterReadingOf(cell) ?? cell.numeral ?? cell.text;
}

/** A number without its first digits: they are in an adjacent rule, as a thin 1 may, or the mark before it is a speck. */
const WITHOUT_START = /^[.,]\d/;

/** A number as programs write doses, which nothing else is misread as, however unsurely it was read. */
const WRITTEN_DOSE = /^\d{1,2}\.\d{2}(?:\d{2})?$/;

/** Whether a cell shows only a number: identifies body rows and numeric columns. */
export function looksNumeric(cell: ReadCell): boolean {
  if (cell.blank || numeralOf(cell) === '') return false;
  if (WRITTEN_DOSE.test(cell.text.text)) return true;
  if (isPartOfOne(cell)) return cell.text.confidence >= 0.3;
  if (measureOf(cell) !== null) return readingOf(cell).confidence >= 0.3;
  const letters = cell.text.text.replace(/[원\s]/g, '').match(/\p{L}/gu)?.length ?? 0;
  const digits = cell.text.text.match(/\d/g)?.length ?? 0;
  if (letters > digits) return cell.text.confidence < (cell.numeral?.confidence ?? 0);
  return readingOf(cell).confidence >= 0.3;
}

/** Parses a numeral; `confidence` is 1 less a deduction for its form. Null if it is not a number. */
export function parseNumeral(numeral: string, style: NumberStyle): { value: number; confidence: number } | null {
  const negative = numeral.startsWith('-');
  const digits = negative ? numeral.slice(1) : numeral;
  const parsed = parsePositive(digits, style);
  return parsed && negative ? { ...parsed, value: -parsed.value } : parsed;
}

function parsePositive(digits: string, style: NumberStyle): { value: number; confidence: number } | null {
  if (digits === '') return null;
  const fractionDigits = style === 'whole' ? undefined : WITHOUT_POINT.exec(digits)?.[1];
  if (fractionDigits !== undefined) return { value: Number(`0.${fractionDigits}`), confidence: DOUBT };
  if (/^\d+$/.test(digits)) return { value: Number(digits), confidence: 1 };
  const joined = Number(digits.replace(/[.,]/g, ''));
  const fraction = /^(\d+)[.,](\d+)$/.exec(digits);
  if (style === 'whole') {
    if (THOUSANDS.test(digits)) return { value: joined, confidence: 1 };
    // Programs print whole numbers with their usual decimals: 3.00, 1.0000.
    if (fraction && /^\d+\.(?:0{1,2}|0{4,})$/.test(digits)) return { value: Number(fraction[1]), confidence: 1 };
    if (fraction && fraction[2]!.length < 3)
      return { value: Number(`${fraction[1]}.${fraction[2]}`), confidence: DOUBT };
    return { value: joined, confidence: DOUBT };
  }
  if (THOUSANDS.test(digits) && fraction && style === 'thousands' && !digits.startsWith('0'))
    return { value: joined, confidence: 1 };
  if (fraction) return { value: Number(`${fraction[1]}.${fraction[2]}`), confidence: digits.includes(',') ? DOUBT : 1 };
  // Thousands and a fraction: 1,234.5; in a column of fractions the commas may have been read as points.
  const mixed = /^(\d{1,3}(?:,\d{3})+)\.(\d+)$/.exec(digits) ?? (style === 'decimal' ? SEPARATED.exec(digits) : null);
  if (mixed) return { value: Number(`${mixed[1]!.replace(/[.,]/g, '')}.${mixed[2]}`), confidence: 1 };
  if (THOUSANDS.test(digits)) return { value: joined, confidence: 1 };
  return { value: joined, confidence: DOUBT };
}

/** The cell's number. An empty cell is surely empty; one that holds ink but no number was not read. */
export function numberField(cell: ReadCell | undefined, style: NumberStyle): Field<number> {
  if (!cell || cell.blank) return EMPTY;
  const numeral = numeralOf(cell);
  const text = shownText(cell);
  const isWithoutStart = WITHOUT_START.test(readingOf(cell).text.trim());
  // Of fractions it is a 0 for the most part.
  const isFraction = isWithoutStart && style !== 'whole' && /^\d{1,4}$/.test(numeral) && Number(numeral) > 0;
  const parsed = parseNumeral(isFraction ? `0.${numeral}` : numeral, style);
  if (!parsed) return { ...UNREAD, text };
  const whole = isWithoutStart ? DOUBT : 1;
  const confidence = readingConfidence(cell, numeral) * parsed.confidence * whole;
  return { value: parsed.value, text, confidence, ...(cell.crossed ? { doubt: 'crossed' } : {}) };
}

/** A number that cannot be below zero: its sign is a remnant of an adjacent rule. */
export function withoutSign(field: Field<number>): Field<number> {
  if (field.value === null || field.value >= 0) return field;
  return { ...field, value: -field.value, confidence: field.confidence * DOUBT };
}

/** The sign of the won looks like the W that institutions' codes start with; in a column of codes it is a W. */
const WON_BEFORE_CODE = /^[\s([]*₩(?=\d{7,8}(?!\d))/;

/** A text with the letter of a code in place of the sign of the won. */
export function withoutWonSign(text: string): string {
  return text.replace(WON_BEFORE_CODE, (sign) => sign.replace('₩', 'W'));
}

/** The title of a part of the list above its first code: [내복약]. */
const PART_TITLE = /^[[(<]\p{Script=Hangul}{2,5}[\])>](?=\d)/u;

/** A code printed in groups of three, whose blanks may be read as marks. */
const IN_GROUPS = /^\d{3}[.,·]?\d{3}[.,·]?\d{3}$/;

/** The cell's code exactly as visible: digits, or the letters and digits of an old code. */
export function codeField(cell: ReadCell | undefined): TextField {
  if (!cell || cell.blank) return EMPTY;
  const printed = withoutWonSign(cell.text.text);
  const tight = printed.normalize('NFKC').replace(/\s+/g, '').replace(PART_TITLE, '');
  const text = IN_GROUPS.test(tight) ? tight.replace(/\D/g, '') : tight;
  // The numerals' reading knows no letter to start with.
  if (printed !== cell.text.text) return { value: text, text, confidence: cell.text.confidence };
  const numeral = (cell.numeral?.text ?? '').replace(/[\s.,]/g, '').replace(/^-+|(?<!-)-+$/g, '');
  // Where the numerals' reading has the same digits, it has only left the letters out.
  if (
    isLettered(text) &&
    (text.replace(/[.,]/g, '').endsWith(numeral) || cell.text.confidence >= (cell.numeral?.confidence ?? 0))
  )
    return { value: text, text, confidence: cell.text.confidence };
  const digits = numeral || (/\d/.test(text) ? text : '');
  if (digits === '' || isHangul(text)) return { ...UNREAD, text: shownText(cell) };
  const confidence = readingConfidence(cell, digits);
  // Dashes between the digits of a code are noise unless the free reading shows them too.
  const value = text.includes('-') ? digits : digits.replaceAll('-', '');
  return { value, text: value, confidence, ...(value === cell.text.text && lettersOf(cell.text)) };
}

function lettersOf({ letters, rivals }: Reading): Pick<TextField, 'letters' | 'rivals'> {
  return { ...(letters && { letters }), ...(rivals && { rivals }) };
}

/** The cell's text, its blanks tidied. No sheet prints `㎎g` or `㎎cg`: the recogniser has taken the m of `mg` for the whole unit. */
export function textField(cell: ReadCell | undefined): TextField {
  if (!cell || cell.blank) return EMPTY;
  const { text, ...read } = withSingleBlanks(cell.text);
  const value = text.replace(/㎎(?=c?g(?![a-z]))/gi, 'm').replace(/\s/g, ' ');
  return value === '' ? { ...UNREAD, text: '' } : { value, text: value, ...read };
}

/** A reading without blanks at its ends and with single blanks inside. */
function withSingleBlanks({ text, confidence, letters, rivals, unreadEnd }: Reading): Reading {
  const isBlank = (index: number) => /\s/.test(text[index] ?? ' ');
  const kept = Array.from({ length: text.trimEnd().length }, (_, index) => index).filter(
    (index) => !isBlank(index) || !isBlank(index - 1),
  );
  return {
    text: kept.map((index) => text[index]).join(''),
    confidence,
    ...(letters && { letters: kept.map((index) => letters[index]!) }),
    ...(rivals && { rivals: kept.map((index) => rivals[index]!) }),
    ...(unreadEnd !== undefined && { unreadEnd }),
  };
}

/** Mostly syllables without digits of a code; the numerals' reading, which has no syllables, turned them into digits. */
function isHangul(text: string): boolean {
  const count = (letters: RegExp) => text.match(letters)?.length ?? 0;
  return !/\d{6}/.test(text) && count(/\p{Script=Hangul}/gu) > Math.max(MAX_SYLLABLES, count(/\d/g));
}

/** Old codes: a letter, then eight digits; codes of fees, in rows that a bar hides for a part: one to three letters, then digits; a hospital's order codes: `erdos`, `aug500`. */
function isLettered(text: string): boolean {
  return /^(?:[A-Z]\d{7,8}|[A-Z]{1,3}\d{2,6}|[A-Z]{3,10}\d{0,4})$/i.test(text) || /^[A-Z]{2,3}[\dO]?$/.test(text);
}

/** Two readings of one cell with different digits: at least one of them is wrong. */
function readingConfidence(cell: ReadCell, numeral: string): number {
  const better = betterReadingOf(cell);
  if (better) return better.confidence;
  if (!cell.numeral) return cell.text.confidence;
  const free = cell.text.text.replace(/\D/g, '');
  const disagree = free !== '' && free !== numeral.replace(/\D/g, '');
  return disagree ? cell.numeral.confidence * DOUBT : cell.numeral.confidence;
}

function shownText(cell: ReadCell): string {
  return (cell.text.text || cell.numeral?.text || '').trim();
}
