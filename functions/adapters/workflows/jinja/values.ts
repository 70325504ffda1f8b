/**
 * Values of templates, as Python has them: an integer is a bigint, a float a number, a dict a Map. Values of JSON come in by `fromJson`.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | readonly Value[]
  | Dict
  | Tuple
  | Undefined
  | Members
  | Callable;
export type Dict = Map<Value, Value>;
export type List = Value[];

/** A fault of a template, for its author. */
export class TemplateFault extends Error {}

/** A template takes more work than one may. */
export class TemplateLimit extends Error {}

/** The value of a name that has none: empty in texts, without members. */
export class Undefined {
  readonly what: string;
  constructor(what: string) {
    this.what = what;
  }
}

/** Values that cannot be changed, with names for those of a group. */
export class Tuple {
  readonly items: readonly Value[];
  readonly names: readonly string[];
  constructor(items: readonly Value[], names: readonly string[] = []) {
    this.items = items;
    this.names = names;
  }
}

/** An object with members that templates read by name: `namespace()`, `loop`. */
export class Members {
  readonly members: Map<string, Value>;
  readonly call: Call | undefined;
  readonly #read: ((name: string) => Value | undefined) | undefined;
  /** @param read members that are made when they are read */
  constructor(members: Iterable<readonly [string, Value]>, call?: Call, read?: (name: string) => Value | undefined) {
    this.members = new Map(members);
    this.call = call;
    this.#read = read;
  }

  get(name: string): Value | undefined {
    return this.members.has(name) ? this.members.get(name) : this.#read?.(name);
  }
}

export interface Arguments {
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}
export type Call = (args: Arguments) => Value;

export class Callable {
  readonly name: string;
  readonly call: Call;
  constructor(name: string, call: Call) {
    this.name = name;
    this.call = call;
  }
}

export const MAX_LENGTH = 4_000_000;

export function fromJson(value: unknown): Value {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 1e21 ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value !== 'object') return new Undefined('a value');
  return new Map(Object.entries(value).map(([name, each]) => [name, fromJson(each)]));
}

export function isList(value: Value): value is List {
  return Array.isArray(value);
}

export function isNumber(value: Value): value is bigint | number | boolean {
  return typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean';
}

/** Python's name of a value's type. */
export function typeName(value: Value): string {
  if (value === null) return 'NoneType';
  if (isList(value)) return 'list';
  if (value instanceof Map) return 'dict';
  if (value instanceof Tuple) return 'tuple';
  if (value instanceof Undefined) return 'Undefined';
  if (typeof value === 'object') return value instanceof Members ? 'namespace' : 'function';
  return { boolean: 'bool', bigint: 'int', number: 'float', string: 'str' }[
    typeof value as 'boolean' | 'bigint' | 'number' | 'string'
  ];
}

export function isTrue(value: Value): boolean {
  if (isList(value)) return value.length > 0;
  if (value instanceof Map) return value.size > 0;
  if (value instanceof Tuple) return value.items.length > 0;
  if (value instanceof Undefined) return false;
  return Boolean(value);
}

/** The entries that a loop meets: characters of a text, keys of a dict. */
export function itemsOf(value: Value): readonly Value[] {
  if (typeof value === 'string') return [...value];
  if (isList(value)) return value;
  if (value instanceof Tuple) return value.items;
  if (value instanceof Map) return [...value.keys()];
  if (value instanceof Undefined) return [];
  throw new TemplateFault(`'${typeName(value)}' object is not iterable`);
}

export function lengthOf(value: Value): number {
  if (value instanceof Map) return value.size;
  if (isNumber(value) || value === null || value instanceof Members || value instanceof Callable)
    throw new TemplateFault(`object of type '${typeName(value)}' has no len()`);
  return itemsOf(value).length;
}

/** A whole number, as for counts and places. */
export function wholeOf(value: Value, what: string): number {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'boolean') return Number(value);
  throw new TemplateFault(`${what} must be a whole number, not ${typeName(value)}`);
}

export function isEqual(a: Value, b: Value): boolean {
  if (isNumber(a) && isNumber(b)) return asNumber(a) === asNumber(b);
  if (a instanceof Undefined) return b instanceof Undefined;
  if (isList(a) && isList(b)) return areEqual(a, b);
  if (a instanceof Tuple && b instanceof Tuple) return areEqual(a.items, b.items);
  if (a instanceof Map && b instanceof Map) {
    return a.size === b.size && [...a].every(([key, value]) => b.has(key) && isEqual(value, b.get(key)!));
  }
  return a === b;
}

function areEqual(a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && a.every((value, index) => isEqual(value, b[index]!));
}

/** Negative, 0 or positive. @throws TemplateFault for types that have no order */
export function compare(a: Value, b: Value, operator = '<'): number {
  if (isNumber(a) && isNumber(b)) return Number(asNumber(a) > asNumber(b)) - Number(asNumber(a) < asNumber(b));
  if (typeof a === 'string' && typeof b === 'string') return Number(a > b) - Number(a < b);
  if (a instanceof Undefined && b instanceof Undefined) return 0;
  const [left, right] = [sequence(a), sequence(b)];
  if (left === null || right === null || typeName(a) !== typeName(b)) {
    throw new TemplateFault(`'${operator}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);
  }
  const place = left.findIndex((each, index) => index >= right.length || !isEqual(each, right[index]!));
  if (place < 0) return left.length - right.length;
  return place >= right.length ? 1 : compare(left[place]!, right[place]!, operator);
}

function sequence(value: Value): readonly Value[] | null {
  if (isList(value)) return value;
  return value instanceof Tuple ? value.items : null;
}

/** A number that JavaScript compares exactly with others, whether bigint or not. */
function asNumber(value: bigint | number | boolean): bigint | number {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

export function contains(container: Value, value: Value): boolean {
  if (typeof container === 'string') {
    if (typeof value === 'string') return container.includes(value);
    throw new TemplateFault(`'in <string>' requires string as left operand, not ${typeName(value)}`);
  }
  if (container instanceof Map) return container.has(value);
  return itemsOf(container).some((each) => isEqual(each, value));
}
