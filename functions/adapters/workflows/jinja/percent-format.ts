import { unsigned } from './number-text.ts';
import { isNumber, MAX_LENGTH, TemplateFault, Tuple, typeName, type Value } from './values.ts';
import { textOf, written } from './written.ts';

const PLACE = /%(?:\(([^)]{0,200})\))?([-+ 0#]{0,5})(\d{0,6})(?:\.(\d{0,3}))?([\s\S])?/g;

interface Place {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | null;
  readonly type: string;
}

/** Python's `template % values`. */
export function formatted(template: string, values: Value): string {
  const list = values instanceof Tuple ? values.items : [values];
  let used = 0;
  let length = 0;
  const next = () => {
    if (used >= list.length) throw new TemplateFault('not enough arguments for format string');
    return list[used++]!;
  };
  const text = template.replaceAll(
    PLACE,
    (_, name: string | undefined, flags: string, width: string, precision: string | undefined, type = '') => {
      if (type === '%') return '%';
      const place = {
        flags,
        width: Number(width),
        precision: precision === undefined ? null : Number(precision),
        type,
      };
      const part = filled(place, name === undefined ? next() : named(values, name));
      length += part.length;
      if (length > MAX_LENGTH) throw new TemplateFault(`A text has more than ${MAX_LENGTH} characters.`);
      return part;
    },
  );
  if (used < list.length && values instanceof Tuple)
    throw new TemplateFault('not all arguments converted during string formatting');
  if (used === 0 && list.length > 0 && isSingle(values) && !template.includes('%('))
    throw new TemplateFault('not all arguments converted during string formatting');
  return text;
}

function isSingle(values: Value): boolean {
  return !(values instanceof Tuple) && !(values instanceof Map) && !Array.isArray(values);
}

function named(values: Value, name: string): Value {
  if (!(values instanceof Map)) throw new TemplateFault('format requires a mapping');
  if (!values.has(name)) throw new TemplateFault(`The format has no value for '${name}'.`);
  return values.get(name)!;
}

function filled(place: Place, value: Value): string {
  const { flags, width, type } = place;
  const [sign, body] = signedText(place, value);
  if (flags.includes('-')) return (sign + body).padEnd(width);
  if (flags.includes('0') && isNumber(value) && !'srac'.includes(type))
    return sign + body.padStart(width - sign.length, '0');
  return (sign + body).padStart(width);
}

function character(code: bigint): string {
  if (code < 0n || code > 0x10ffffn) throw new TemplateFault('%c arg not in range(0x110000)');
  return String.fromCodePoint(Number(code));
}

/** The sign of a value, and the rest of its text. */
function signedText({ flags, precision, type }: Place, value: Value): readonly [string, string] {
  if (type === 's' || type === 'r' || type === 'a' || type === 'c') {
    const text =
      type === 'c' && (typeof value === 'bigint' || typeof value === 'boolean')
        ? character(BigInt(value))
        : type === 's' || type === 'c'
          ? textOf(value)
          : written(value);
    return ['', precision === null ? text : [...text].slice(0, precision).join('')];
  }
  if (type === '' || !'diufFeEgGxXo'.includes(type))
    throw new TemplateFault(type === '' ? 'incomplete format' : `unsupported format character '${type}'`);
  if (!isNumber(value)) throw new TemplateFault(`%${type} format: a real number is required, not ${typeName(value)}`);
  const isWhole = 'diuxXo'.includes(type);
  const number = isWhole ? BigInt(Math.trunc(Number(value))) : Number(value);
  const exact = isWhole && typeof value === 'bigint' ? value : number;
  const sign = exact < 0 ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  return [sign, unsigned(exact, isWhole && !'xXo'.includes(type) ? 'd' : type, precision)];
}
