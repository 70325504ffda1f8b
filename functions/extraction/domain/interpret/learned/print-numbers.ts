import type { Reading } from '../../reading/table-reader.ts';
import type { Print } from '../print.ts';
import type { NumberRole } from './roles.ts';

/** A number of a print, with the print's confidence. */
export interface PrintNumber extends Reading {
  readonly value: number;
}

const MONEY: ReadonlySet<NumberRole> = new Set(['unitPrice', 'totalAmount']);
/** A form's words before a count: 1회 2정. */
const EACH = /1\s?[회일]분?\s*(?=[^\d]{0,3}\d)/g;
const DIGITS = /-?\d(?:[\d,.]*\d)?/g;
/** Returned goods: △2,900, (2,900). */
const NEGATIVE = /^\s*(?:[△▲▽]\s*\d|\(\s*\d[\d,.]*\s*\)\s*$)/u;
const THOUSANDS = /^-?\d{1,3}(?:[.,]\d{3})+$/;
const ALONE = /^[\d\s.,-]+$/;

/** The number that a print shows if it has this role, or null. Points between groups of three digits of money are misread commas. */
export function numberOf(print: Print, role: NumberRole): PrintNumber | null {
  const reading = ALONE.test(print.text) && print.numeral && print.numeral.text !== '' ? print.numeral : print;
  const [first] = numbersIn(reading.text);
  if (first === undefined) return null;
  const value = valueOfDigits(first, MONEY.has(role)) * (NEGATIVE.test(print.text) ? -1 : 1);
  return Number.isNaN(value) ? null : { text: first, confidence: reading.confidence, value };
}

/** Dose, times and days of one print; as many as it has. */
export function dosesOf({ text, confidence }: Reading): readonly PrintNumber[] {
  return numbersIn(text)
    .slice(0, 3)
    .map((digits) => ({ text: digits, confidence, value: valueOfDigits(digits, false) }))
    .filter(({ value }) => !Number.isNaN(value));
}

function numbersIn(text: string): readonly string[] {
  return withoutLabel(text.normalize('NFKC')).replace(EACH, '').match(DIGITS) ?? [];
}

/** Without a label before the value: `수량: 3`, `1회 투약량 : 0.50`. */
function withoutLabel(text: string): string {
  const end = text.indexOf(':') + 1;
  return /\p{L}/u.test(text.slice(0, end)) && /\d/.test(text.slice(end)) ? text.slice(end) : text;
}

function valueOfDigits(digits: string, isMoney: boolean): number {
  const isGrouped = isMoney ? THOUSANDS.test(digits) : /^-?\d{1,3}(?:,\d{3})+$/.test(digits);
  return Number(isGrouped ? digits.replace(/[.,]/g, '') : digits.replaceAll(',', ''));
}
