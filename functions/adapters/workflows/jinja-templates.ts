import { Environment, Interpreter, parse, Template, tokenize } from '@huggingface/jinja';
import { memoize } from '../../shared/memoize.ts';
import { quoted } from '../../workflows/domain/graph/python-text.ts';
import type { Filled } from './filled-template.ts';

const MAX_OUTPUT_LENGTH = 4_000_000;
const MAX_RANGE = 10_000;
/** Filters that the engine has for some type of value. */
const FILTERS: readonly string[] = [
  ...['abs', 'bool', 'capitalize', 'default', 'dictsort', 'first', 'float', 'get', 'indent', 'int', 'items', 'join'],
  ...['keys', 'last', 'length', 'list', 'lower', 'map', 'rejectattr', 'replace', 'reverse', 'safe', 'selectattr'],
  ...['sort', 'string', 'title', 'tojson', 'trim', 'unique', 'upper', 'values'],
];

/** The syntax error of a template, or its first unknown filter; null if it has none. */
export function jinjaFault(template: string): string | null {
  try {
    const unknown = unknownFilter(parse(tokenize(template)));
    return unknown === null ? null : `undefined filter: ${unknown}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The first filter below a node of the syntax tree that the engine does not have. */
function unknownFilter(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { type, filter } = value as { readonly type?: string; readonly filter?: Filter };
  const name = filter?.callee?.value ?? filter?.value;
  if (type?.startsWith('Filter') && typeof name === 'string' && !FILTERS.includes(name)) return name;
  for (const inner of Object.values(value)) {
    const found = unknownFilter(inner);
    if (found !== null) return found;
  }
  return null;
}

interface Filter {
  readonly value?: unknown;
  readonly callee?: { readonly value?: unknown };
}

/** A template filled by an engine that interprets its syntax tree: no template becomes a program. */
export function fillJinja(template: string, values: object): Filled {
  try {
    writeAsPython();
    const { parsed } = new Template(template);
    const environment = new Environment();
    for (const [name, value] of Object.entries({
      true: true,
      True: true,
      false: false,
      False: false,
      none: null,
      None: null,
    }))
      environment.set(name, value);
    environment.set('range', range);
    for (const [name, value] of Object.entries(values)) environment.set(name, value);
    const text = String(new Interpreter(environment).run(parsed).value);
    return text.length > MAX_OUTPUT_LENGTH
      ? { fault: `It gives more than ${MAX_OUTPUT_LENGTH} characters.` }
      : { text };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

/** A value of the engine, as far as it is written. */
interface Written {
  readonly type: string;
  readonly value: unknown;
  toString(): string;
}

/** Lists, mappings and truth values are written as Python writes them, which the engine does in JSON. */
const writeAsPython = memoize(() => {
  const environment = new Environment();
  new Interpreter(environment).run(parse(tokenize('{% set samples = [[], {}, 1 == 1] %}')));
  const samples = (environment.lookupVariable('samples') as unknown as Written).value as readonly Written[];
  for (const sample of samples) {
    const prototype = Object.getPrototypeOf(sample) as Written;
    prototype.toString = function (this: Written) {
      return written(this);
    };
  }
});

function written(value: Written): string {
  switch (value.type) {
    case 'ArrayValue':
      return `[${(value.value as readonly Written[]).map(written).join(', ')}]`;
    case 'ObjectValue':
      return `{${[...(value.value as ReadonlyMap<string, Written>)].map(([name, each]) => `${quoted(name)}: ${written(each)}`).join(', ')}}`;
    case 'StringValue':
      return quoted(String(value.value));
    case 'BooleanValue':
      return value.value ? 'True' : 'False';
    case 'NullValue':
      return 'None';
    default:
      return value.toString();
  }
}

function range(...bounds: readonly number[]): number[] {
  const [start, stop, step] = bounds.length === 1 ? [0, bounds[0]!, 1] : [bounds[0]!, bounds[1]!, bounds[2] ?? 1];
  const count = Math.max(0, Math.ceil((stop - start) / step));
  if (!Number.isFinite(count) || count > MAX_RANGE) throw new Error(`range() gives more than ${MAX_RANGE} numbers`);
  return Array.from({ length: count }, (_, index) => start + index * step);
}
