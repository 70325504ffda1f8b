import { quoted } from '../../../workflows/domain/graph/python-text.ts';
import { type Callable, isList, MAX_LENGTH, Members, TemplateFault, Tuple, Undefined, type Value } from './values.ts';

/** A value as text: Python's `str`. */
export function textOf(value: Value): string {
  return typeof value === 'string' ? value : written(value);
}

/** A value as Python writes it in a program: `repr`. */
export function written(value: Value): string {
  const text = writtenBelow(value, 0);
  if (text.length > MAX_LENGTH) throw new TemplateFault(`A value has more than ${MAX_LENGTH} characters.`);
  return text;
}

const MAX_DEPTH = 100;

function writtenBelow(value: Value, depth: number): string {
  if (depth > MAX_DEPTH) throw new TemplateFault('A value nests too deeply, or holds itself.');
  const inner = (each: Value) => writtenBelow(each, depth + 1);
  if (value === null) return 'None';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return writtenFloat(value);
  if (isList(value)) return `[${value.map(inner).join(', ')}]`;
  if (value instanceof Tuple) return `(${value.items.map(inner).join(', ')}${value.items.length === 1 ? ',' : ''})`;
  if (value instanceof Map) return `{${[...value].map(([key, each]) => `${inner(key)}: ${inner(each)}`).join(', ')}}`;
  if (value instanceof Undefined) return depth === 0 ? '' : 'Undefined';
  return `<${value instanceof Members ? 'namespace' : (value as Callable).name}>`;
}

function writtenFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) return withExponent(value.toExponential());
  return Number.isInteger(value) ? `${Object.is(value, -0) ? '-0' : value}.0` : String(value);
}

/** An exponent of two digits or more, as Python writes it. */
export function withExponent(text: string): string {
  const [digits = '', exponent = ''] = text.split('e');
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}

/** JSON as Jinja2's `tojson` writes it: ASCII, members in order of their names, safe in HTML. */
export function jsonOf(value: Value, indent: number | null): string {
  const json = jsonBelow(value, indent, 0);
  return json.replaceAll(/[<>&'\u007f-\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function jsonBelow(value: Value, indent: number | null, depth: number): string {
  if (depth > MAX_DEPTH) throw new TemplateFault('A value nests too deeply, or holds itself.');
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return writtenFloat(value);
  const inner = (each: Value) => jsonBelow(each, indent, depth + 1);
  if (isList(value)) return wrapped('[]', value.map(inner), indent, depth);
  if (value instanceof Tuple) return wrapped('[]', value.items.map(inner), indent, depth);
  if (value instanceof Map) {
    const members = [...value].map(([key, each]) => [textOf(key), inner(each)] as const);
    members.sort(([a], [b]) => Number(a > b) - Number(a < b));
    return wrapped(
      '{}',
      members.map(([name, text]) => `${JSON.stringify(name)}: ${text}`),
      indent,
      depth,
    );
  }
  throw new TemplateFault(`A value of type ${value instanceof Undefined ? 'Undefined' : 'function'} has no JSON.`);
}

function wrapped(marks: string, parts: readonly string[], indent: number | null, depth: number): string {
  if (parts.length === 0) return marks;
  if (indent === null) return `${marks[0]}${parts.join(', ')}${marks[1]}`;
  const [outer, inner] = [' '.repeat(indent * depth), ' '.repeat(indent * (depth + 1))];
  return `${marks[0]}\n${inner}${parts.join(`,\n${inner}`)}\n${outer}${marks[1]}`;
}
