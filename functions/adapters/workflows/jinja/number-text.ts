import { withExponent } from './written.ts';

/** A number with a fixed number of decimals, the exact half to the even digit, as Python rounds. */
export function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  const exact = value.toFixed(Math.min(100, digits + 40));
  const rest = exact.slice(exact.indexOf('.') + 1 + digits);
  if (!/^50*$/.test(rest)) return text;
  const isOdd = Number(text.at(-1)) % 2 === 1;
  if (!isOdd) return text;
  const lower = exact.slice(0, exact.length - rest.length);
  return lower.endsWith('.') ? lower.slice(0, -1) : lower;
}

/** A number with a number of significant digits: `%g`. */
export function general(value: number, digits: number): string {
  const precision = digits === 0 ? 1 : digits;
  if (value === 0) return '0';
  const exponent = Number(value.toExponential(precision - 1).split('e')[1]);
  if (exponent < -4 || exponent >= precision) {
    const [number = '', power = ''] = value.toExponential(precision - 1).split('e');
    return withExponent(`${withoutZeros(number)}e${power}`);
  }
  return withoutZeros(fixed(value, precision - 1 - exponent));
}

function withoutZeros(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text[end - 1] === '0') end--;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}

/** A number by the letter of its type, without its sign. */
export function unsigned(value: number | bigint, type: string, precision: number | null): string {
  const size = typeof value === 'bigint' ? (value < 0n ? -value : value) : Math.abs(value);
  switch (type) {
    case 'x':
      return size.toString(16);
    case 'X':
      return size.toString(16).toUpperCase();
    case 'o':
      return size.toString(8);
    case 'b':
      return size.toString(2);
    case 'e':
    case 'E': {
      const text = withExponent(Number(size).toExponential(precision ?? 6));
      return type === 'E' ? text.toUpperCase() : text;
    }
    case 'g':
      return general(Number(size), precision ?? 6);
    case 'G':
      return general(Number(size), precision ?? 6).toUpperCase();
    case 'f':
    case 'F':
      return fixed(Number(size), precision ?? 6);
    default:
      return String(size);
  }
}
