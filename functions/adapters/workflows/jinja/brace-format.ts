import { unsigned } from './number-text.ts';
import { type Arguments, isNumber, MAX_LENGTH, TemplateFault, typeName, type Value } from './values.ts';
import { textOf, written } from './written.ts';

const FIELD = /\{\{|\}\}|\{([^{}!:]{0,200})(?:!([rsa]))?(?::([^{}]{0,100}))?\}|[{}]/g;
const SPECIFICATION = /^(?:([\s\S])?([<>=^]))?([-+ ]?)(#?)(0?)(\d{0,6})([,_]?)(?:\.(\d{1,3}))?([a-zA-Z%]?)$/u;

/** Python's `template.format(…)`. */
export function formattedByBraces(
  template: string,
  args: Arguments,
  member: (value: Value, name: string) => Value,
): string {
  let next = 0;
  let length = 0;
  return template.replaceAll(
    FIELD,
    (whole, field: string | undefined, conversion: string | undefined, specification = '') => {
      if (whole === '{{' || whole === '}}') return whole[0]!;
      if (field === undefined) throw new TemplateFault(`Single '${whole}' encountered in format string`);
      const value = fieldOf(field === '' ? String(next++) : field, args, member);
      const text = specified(converted(value, conversion), specification);
      length += text.length;
      if (length > MAX_LENGTH) throw new TemplateFault(`A text has more than ${MAX_LENGTH} characters.`);
      return text;
    },
  );
}

function converted(value: Value, conversion: string | undefined): Value {
  if (conversion === undefined) return value;
  return conversion === 's' ? textOf(value) : written(value);
}

function fieldOf(
  field: string,
  { positional, named }: Arguments,
  member: (value: Value, name: string) => Value,
): Value {
  const [first = '', ...rest] = field.replaceAll(']', '').split(/[.[]/);
  const value = /^\d+$/.test(first) ? positional[Number(first)] : named.get(first);
  if (value === undefined) throw new TemplateFault(`The format has no value for '${first}'.`);
  return rest.reduce(member, value);
}

/** A value by a format specification such as `,.2f`. */
export function specified(given: Value, specification: string): string {
  const value = typeof given === 'boolean' && specification !== '' ? BigInt(given) : given;
  const found = SPECIFICATION.exec(specification);
  if (!found) throw new TemplateFault(`Invalid format specifier '${specification}'`);
  const [, fill, align, sign = '', , zero, width = '', group = '', precision, type = ''] = found;
  const digits = precision === undefined ? null : Number(precision);
  const [mark, body] =
    isNumber(value) && typeof value !== 'boolean'
      ? numeric(value, sign, group, digits, type)
      : ['', textual(value, digits, type)];
  const isZero = zero === '0' && align === undefined;
  return padded(
    mark,
    body,
    Number(width),
    isZero ? '0' : (fill ?? ' '),
    align ?? (isZero ? '=' : isNumber(value) ? '>' : '<'),
  );
}

function textual(value: Value, digits: number | null, type: string): string {
  if (type !== '' && type !== 's')
    throw new TemplateFault(`Unknown format code '${type}' for object of type '${typeName(value)}'`);
  const text = textOf(value);
  return digits === null ? text : [...text].slice(0, digits).join('');
}

function numeric(
  value: bigint | number,
  sign: string,
  group: string,
  digits: number | null,
  type: string,
): readonly [string, string] {
  if (typeof value === 'number' && 'dxXobc'.includes(type || ' '))
    throw new TemplateFault(`Unknown format code '${type}' for object of type 'float'`);
  const mark = value < 0 ? '-' : sign === '-' ? '' : sign;
  const body = bodyOf(value, digits, type);
  if (group === '') return [mark, body];
  const [whole = '', ...rest] = body.split('.');
  return [mark, [grouped(whole, group), ...rest].join('.')];
}

/** Digits in groups of three. */
function grouped(digits: string, mark: string): string {
  const first = digits.length % 3;
  const groups = first === 0 ? [] : [digits.slice(0, first)];
  for (let at = first; at < digits.length; at += 3) groups.push(digits.slice(at, at + 3));
  return groups.join(mark);
}

function bodyOf(value: bigint | number, digits: number | null, type: string): string {
  if (type === '%') return `${unsigned(Number(value) * 100, 'f', digits ?? 6)}%`;
  if (type === '' && typeof value === 'number') {
    return digits === null ? textOf(Math.abs(value)) : unsigned(value, 'g', digits);
  }
  return unsigned(value, type === 'n' || type === '' ? 'd' : type, digits);
}

function padded(mark: string, body: string, width: number, fill: string, align: string): string {
  const missing = Math.max(0, width - [...mark, ...body].length);
  if (align === '=') return mark + fill.repeat(missing) + body;
  if (align === '<') return mark + body + fill.repeat(missing);
  if (align === '>') return fill.repeat(missing) + mark + body;
  const left = Math.floor(missing / 2);
  return fill.repeat(left) + mark + body + fill.repeat(missing - left);
}
