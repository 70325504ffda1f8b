import type { LineReading } from './line-recogniser.ts';
import type { Reading } from './table-reader.ts';

/** A code that starts a line: one of nine digits, or of fewer where one was not read, perhaps with a blank in its place. */
const FIRST_DIGITS = /^\D{0,2}(\d{8,9}|\d{1,7} \d{1,7})(?!\d)/;
const CODE_LENGTH = 9;

/** In heights of the print: a digit with the white behind it is no wider. */
const DIGIT_WIDTH = 1.1;

/**
 * Merges two readings of the same print, cut out with and without the rule that touches it. The surer one counts; if their digits differ,
 * the other one counts against it by its confidence. A whole code wins over one that lacks a digit, which the rule has removed; so does a
 * number over one too short for its width.
 * @param length of the print, in its heights.
 */
export function surerReading(clean: LineReading, onRule: LineReading, length: number): LineReading {
  const fuller = (a: Reading, b: Reading) => (lacksDigitIn(length, a, b) ? against(b, a) : null);
  const best = (a: Reading, b: Reading) => fuller(a, b) ?? fuller(b, a) ?? surerOf(a, b);
  return wholeCodeOf(clean, onRule) ?? joined(clean, onRule, best);
}

/** Whether digits are too few for so long a print, and another reading has them and one more. */
function lacksDigitIn(length: number, { text: some }: Reading, { text: all }: Reading): boolean {
  const isNumber = /^\d{1,3}$/.test(some) && /^\d{2,4}$/.test(all);
  return isNumber && length > DIGIT_WIDTH * some.length && all.length === some.length + 1 && isPartOf(some, all);
}

function joined(clean: LineReading, onRule: LineReading, join: (clean: Reading, onRule: Reading) => Reading) {
  return { text: join(clean.text, onRule.text), numeral: join(clean.numeral, onRule.numeral) };
}

function wholeCodeOf(clean: LineReading, onRule: LineReading): LineReading | null {
  return lacksDigitOfCode(clean.text, onRule.text) ? joined(onRule, clean, against) : null;
}

function lacksDigitOfCode(clean: Reading, onRule: Reading): boolean {
  const [some, all] = [clean, onRule].map(({ text }) => FIRST_DIGITS.exec(text)?.[1]?.replace(' ', '') ?? '');
  return all!.length === CODE_LENGTH && some!.length === CODE_LENGTH - 1 && isPartOf(some!, all!);
}

/** Whether a text is another one without some of its letters. */
function isPartOf(some: string, all: string): boolean {
  let at = 0;
  for (const letter of all) if (letter === some[at]) at++;
  return at === some.length;
}

/** Digits that a rule down the page may be read as. */
const LIKE_RULE = /[17]/;

/**
 * Merges two readings of print whose first or last stroke merged with a rule down the page: without the rule a digit is missing, and the
 * rest looks whole. The reading with the rule counts if it has the same digits plus one that is not the rule.
 */
export function readingOnColumnRule(clean: LineReading, onRule: LineReading): LineReading {
  const whole = (a: Reading, b: Reading) => (lacksDigit(a, b) ? b : isTen(a, b) ? against(b, a) : surerOf(a, b));
  const read = joined(clean, onRule, whole);
  return read.text === onRule.text ? read : (wholeCodeOf(clean, onRule) ?? read);
}

function lacksDigit(clean: Reading, onRule: Reading): boolean {
  const [some, all] = [digitsOf(clean), digitsOf(onRule)];
  if (some === '' || all.length !== some.length + 1 || clean.text.length > onRule.text.length + 1) return false;
  return (all.startsWith(some) && !LIKE_RULE.test(all.at(-1)!)) || (all.endsWith(some) && !LIKE_RULE.test(all[0]!));
}

/** The extra digit is never 0: there the rule runs along a 1. */
function isTen(clean: Reading, onRule: Reading): boolean {
  return digitsOf(clean) === '0' && digitsOf(onRule) === '10';
}

function surerOf(a: Reading, b: Reading): Reading {
  const [surer, other] = a.confidence >= b.confidence ? [a, b] : [b, a];
  return digitsOf(surer) === digitsOf(other) ? surer : against(surer, other);
}

function against(reading: Reading, other: Reading): Reading {
  return { ...reading, confidence: reading.confidence * (1 - other.confidence) };
}

/** The rule itself is read as points and dashes at the ends. */
function digitsOf({ text }: Reading): string {
  const runs = text
    .replace(/[^\d.,]/g, '')
    .replaceAll(',', '.')
    .split('.');
  const first = runs.findIndex((run) => run !== '');
  return runs.slice(Math.max(0, first), runs.findLastIndex((run) => run !== '') + 1).join('.');
}
