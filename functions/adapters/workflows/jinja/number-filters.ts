import type { Filter } from './filter.ts';
import { fixed } from './number-text.ts';
import { defined, negated } from './operators.ts';
import { bound, isGiven } from './signature.ts';
import { compare, isNumber, isTrue, TemplateFault, typeName, type Value, wholeOf } from './values.ts';
import { textOf } from './written.ts';

const METHODS: Readonly<Record<string, (value: number) => number>> = { ceil: Math.ceil, floor: Math.floor };
const SIZES = ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];

function numberOf(what: string, value: Value): bigint | number {
  if (!isNumber(value)) throw new TemplateFault(`${what} needs a number, not ${typeName(defined(value))}`);
  return typeof value === 'boolean' ? BigInt(value) : value;
}

function rounded(value: Value, precisionValue: Value | undefined, method: string): Value {
  const number = numberOf('round', value);
  const precision = precisionValue === undefined ? 0 : wholeOf(precisionValue, 'precision');
  if (Math.abs(precision) > 60) throw new TemplateFault('round needs a precision from -60 to 60');
  const change = METHODS[method];
  if (change) return change(Number(number) * 10 ** precision) / 10 ** precision;
  if (method !== 'common') throw new TemplateFault('method must be common, ceil or floor');
  if (typeof number === 'bigint' && precision >= 0) return number;
  if (precision >= 0) return Number(fixed(number as number, precision));
  const unit = 10 ** -precision;
  const text = Number(fixed(Number(number) / unit, 0)) * unit;
  return typeof number === 'bigint' ? BigInt(text) : text;
}

/** A whole number out of a value; the default if it has none. */
function integerOf(value: Value, otherwise: Value, base: number): Value {
  if (typeof value === 'boolean') return BigInt(value);
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? BigInt(Math.trunc(value)) : otherwise;
  if (typeof value !== 'string') return otherwise;
  const text = value.trim().replaceAll('_', '').toLowerCase();
  if (base !== 10) return inBase(text, base) ?? otherwise;
  if (/^[+-]?\d{1,5000}$/.test(text)) return BigInt(text.replace(/^\+/, ''));
  const float = floatOf(text);
  return float === null || !Number.isFinite(float) ? otherwise : BigInt(Math.trunc(float));
}

function inBase(text: string, base: number): bigint | null {
  const found = /^([+-]?)(?:0[xbo])?([\da-z]{1,50})$/.exec(text);
  if (!found || base < 2 || base > 36) return null;
  const digits = [...found[2]!].map((digit) => Number.parseInt(digit, 36));
  if (digits.some((digit) => digit >= base)) return null;
  const size = digits.reduce((sum, digit) => sum * BigInt(base) + BigInt(digit), 0n);
  return found[1] === '-' ? -size : size;
}

function floatOf(text: string): number | null {
  return /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:e[+-]?\d{1,5})?$/.test(text.trim().toLowerCase())
    ? Number(text)
    : null;
}

function fileSize(value: Value, isBinary: boolean): string {
  const bytes = typeof value === 'string' ? Number(value) : Number(numberOf('filesizeformat', value));
  if (!Number.isFinite(bytes)) throw new TemplateFault('filesizeformat needs a number');
  const base = isBinary ? 1024 : 1000;
  if (bytes === 1) return '1 Byte';
  if (bytes < base) return `${Math.trunc(bytes)} Bytes`;
  const power = Math.min(SIZES.length, SIZES.findIndex((_, index) => bytes < base ** (index + 2)) + 1 || SIZES.length);
  const sign = SIZES[power - 1]!;
  return `${fixed(bytes / base ** power, 1)} ${isBinary ? `${sign === 'k' ? 'K' : sign}iB` : `${sign}B`}`;
}

export const NUMBER_FILTERS: readonly (readonly [string, Filter])[] = [
  ['abs', (value) => (compare(numberOf('abs', value), 0n) < 0 ? negated(value) : numberOf('abs', value))],
  [
    'round',
    (value, args) => {
      const [precision, method = 'common'] = bound('round', ['precision', 'method'], args);
      return rounded(value, precision, textOf(method));
    },
  ],
  [
    'int',
    (value, args) => {
      const [otherwise = 0n, base] = bound('int', ['default', 'base'], args);
      return integerOf(value, otherwise, isGiven(base) ? wholeOf(base, 'base') : 10);
    },
  ],
  [
    'float',
    (value, args) => {
      const [otherwise = 0] = bound('float', ['default'], args);
      if (isNumber(value)) return Number(value);
      return typeof value === 'string' ? (floatOf(value.trim()) ?? otherwise) : otherwise;
    },
  ],
  ['bool', (value) => isTrue(value)],
  [
    'filesizeformat',
    (value, args) => {
      const [binary = false] = bound('filesizeformat', ['binary'], args);
      return fileSize(value, isTrue(binary));
    },
  ],
];
