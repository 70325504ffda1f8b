import { formatted } from './percent-format.ts';
import {
  compare,
  contains,
  isEqual,
  isList,
  isNumber,
  MAX_LENGTH,
  TemplateFault,
  Tuple,
  typeName,
  Undefined,
  type Value,
} from './values.ts';
import { textOf } from './written.ts';

type Binary = (a: Value, b: Value) => Value;
const MAX_BITS = 20_000n;

/** Operators of two operands, by their sign. */
export const BINARY: Readonly<Record<string, Binary>> = {
  '+': (a, b) =>
    joined(a, b) ??
    arithmetic(
      '+',
      a,
      b,
      (x, y) => x + y,
      (x, y) => x + y,
    ),
  '-': (a, b) =>
    arithmetic(
      '-',
      a,
      b,
      (x, y) => x - y,
      (x, y) => x - y,
    ),
  '*': (a, b) =>
    repeated(a, b) ??
    repeated(b, a) ??
    arithmetic(
      '*',
      a,
      b,
      (x, y) => bounded(x * y),
      (x, y) => x * y,
    ),
  '/': (a, b) =>
    arithmetic(
      '/',
      a,
      b,
      (x, y) => Number(x) / Number(notZero(y)),
      (x, y) => x / notZero(y),
    ),
  '//': (a, b) =>
    arithmetic(
      '//',
      a,
      b,
      (x, y) => floorDivided(x, notZero(y)),
      (x, y) => Math.floor(x / notZero(y)),
    ),
  '%': (a, b) =>
    typeof a === 'string'
      ? formatted(a, b)
      : arithmetic('%', a, b, (x, y) => x - floorDivided(x, notZero(y)) * y, floatRemainder),
  '**': (a, b) => arithmetic('**', a, b, power, floatPower),
  '~': (a, b) => textsJoined(textOf(a), textOf(b)),
  '==': isEqual,
  '!=': (a, b) => !isEqual(a, b),
  '<': (a, b) => compare(defined(a), defined(b), '<') < 0,
  '>': (a, b) => compare(defined(a), defined(b), '>') > 0,
  '<=': (a, b) => compare(defined(a), defined(b), '<=') <= 0,
  '>=': (a, b) => compare(defined(a), defined(b), '>=') >= 0,
  in: (a, b) => contains(b, a),
};

export function negated(value: Value): Value {
  if (!isNumber(value)) throw new TemplateFault(`bad operand type for unary -: '${typeName(defined(value))}'`);
  return typeof value === 'boolean' ? -BigInt(value) : -value;
}

/** @throws TemplateFault for an undefined value */
export function defined(value: Value): Value {
  if (value instanceof Undefined) throw new TemplateFault(`${value.what} is undefined`);
  return value;
}

function arithmetic(
  sign: string,
  a: Value,
  b: Value,
  ofIntegers: (x: bigint, y: bigint) => Value,
  ofFloats: (x: number, y: number) => number,
): Value {
  const [left, right] = [defined(a), defined(b)];
  if (!isNumber(left) || !isNumber(right)) {
    if (sign === '+' && typeof left === 'string')
      throw new TemplateFault(`can only concatenate str (not "${typeName(right)}") to str`);
    throw new TemplateFault(`unsupported operand type(s) for ${sign}: '${typeName(left)}' and '${typeName(right)}'`);
  }
  if (typeof left !== 'number' && typeof right !== 'number') return ofIntegers(BigInt(left), BigInt(right));
  return ofFloats(Number(left), Number(right));
}

function notZero<T extends bigint | number>(value: T): T {
  if (Number(value) === 0) throw new TemplateFault('division by zero');
  return value;
}

function floorDivided(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function power(base: bigint, exponent: bigint): Value {
  if (exponent < 0n) {
    if (base === 0n) throw new TemplateFault('0.0 cannot be raised to a negative power');
    return Number(base) ** Number(exponent);
  }
  if (exponent * BigInt(base.toString(2).length) > MAX_BITS) throw new TemplateFault('A number is too large.');
  return base ** exponent;
}

/** The remainder has the sign of the divisor. */
function floatRemainder(a: number, b: number): number {
  const rest = a % notZero(b);
  if (rest === 0) return b < 0 ? -0 : 0;
  return rest < 0 === b < 0 ? rest : rest + b;
}

function floatPower(base: number, exponent: number): number {
  const value = base ** exponent;
  if (Number.isNaN(value) && !Number.isNaN(base + exponent)) throw new TemplateFault('The power is not a real number.');
  return value;
}

function bounded(value: bigint): bigint {
  if (BigInt.asIntN(Number(MAX_BITS), value) !== value) throw new TemplateFault('A number is too large.');
  return value;
}

function textsJoined(a: string, b: string): string {
  if (a.length + b.length > MAX_LENGTH) throw new TemplateFault(`A text has more than ${MAX_LENGTH} characters.`);
  return a + b;
}

/** Two texts, lists or tuples after each other; null for others. */
function joined(a: Value, b: Value): Value | null {
  if (typeof a === 'string' && typeof b === 'string') return textsJoined(a, b);
  if (isList(a) && isList(b)) return [...a, ...b];
  return a instanceof Tuple && b instanceof Tuple ? new Tuple([...a.items, ...b.items]) : null;
}

/** A text, list or tuple several times; null for others. */
function repeated(value: Value, times: Value): Value | null {
  if (typeof times !== 'bigint' && typeof times !== 'boolean') return null;
  const count = Math.max(0, Number(times));
  const bound = (length: number) => {
    if (length * count > MAX_LENGTH) throw new TemplateFault(`A repeated value is longer than ${MAX_LENGTH}.`);
  };
  if (typeof value === 'string') {
    bound(value.length);
    return value.repeat(count);
  }
  const items = value instanceof Tuple ? value.items : value;
  if (!Array.isArray(items)) return null;
  bound(items.length);
  const all = Array.from({ length: count }, () => items as readonly Value[]).flat();
  return value instanceof Tuple ? new Tuple(all) : all;
}
