import { DICT_METHODS } from './dict-methods.ts';
import { LIST_METHODS } from './list-methods.ts';
import { TEXT_METHODS } from './text-methods.ts';
import {
  type Arguments,
  Callable,
  isList,
  isNumber,
  Members,
  TemplateFault,
  Tuple,
  typeName,
  Undefined,
  type Value,
} from './values.ts';
import { textOf } from './written.ts';

/** `value.name`: a method, or else an entry. Names that start with _ have no value. */
export function memberOf(value: Value, name: string): Value {
  if (value instanceof Undefined) throw new TemplateFault(`${value.what} is undefined`);
  return firstOf(value, name, attributeOf(value, name), () => entryOf(value, name));
}

/** `value[key]`: an entry, or else a method. */
export function itemOf(value: Value, key: Value): Value {
  if (value instanceof Undefined) throw new TemplateFault(`${value.what} is undefined`);
  const attribute = () => (typeof key === 'string' ? attributeOf(value, key) : undefined);
  return firstOf(value, textOf(key), entryOf(value, key), attribute);
}

/** None is a value as well. */
function firstOf(value: Value, name: string, found: Value | undefined, other: () => Value | undefined): Value {
  if (found !== undefined) return found;
  const otherwise = other();
  return otherwise === undefined ? new Undefined(missing(value, name)) : otherwise;
}

function missing(value: Value, name: string): string {
  return `'${typeName(value)} object' has no attribute '${name}', which`;
}

/** A method or a member by its name. */
export function attributeOf(value: Value, name: string): Value | undefined {
  if (value instanceof Members) return value.get(name);
  if (value instanceof Tuple && value.names.includes(name)) return value.items[value.names.indexOf(name)];
  const method = methodOf(value, name);
  return method && new Callable(`${typeName(value)}.${name}`, method);
}

function methodOf(value: Value, name: string): ((args: Arguments) => Value) | undefined {
  const found = <T>(methods: ReadonlyMap<string, (of: T, args: Arguments) => Value>, of: T) => {
    const method = methods.get(name);
    return method && ((args: Arguments) => method(of, args));
  };
  if (typeof value === 'string') return found(TEXT_METHODS, value);
  if (isList(value)) return found(LIST_METHODS, value);
  return value instanceof Map ? found(DICT_METHODS, value) : undefined;
}

function entryOf(value: Value, key: Value): Value | undefined {
  if (value instanceof Map) return value.get(key);
  if (typeof key !== 'bigint') return undefined;
  const items = typeof value === 'string' ? [...value] : value instanceof Tuple ? value.items : value;
  return isList(items as Value) ? (items as readonly Value[]).at(Number(key)) : undefined;
}

/** The value below another one by a path such as `owner.0.name`, as the filters take it. */
export function pathOf(value: Value, path: Value): Value {
  if (typeof path === 'bigint') return itemOf(value, path);
  let found = value;
  for (const part of textOf(path).split('.')) found = itemOf(found, /^\d+$/.test(part) ? BigInt(part) : part);
  return found;
}

/** `value[start:stop:step]` */
export function sliceOf(value: Value, start: Value | null, stop: Value | null, step: Value | null): Value {
  const items = typeof value === 'string' ? [...value] : value instanceof Tuple ? value.items : value;
  if (!isList(items as Value)) throw new TemplateFault(`'${typeName(value)}' object cannot be sliced`);
  const list = items as readonly Value[];
  const by = boundOf(step) ?? 1;
  if (by === 0) throw new TemplateFault('slice step cannot be zero');
  const found: Value[] = [];
  const clamp = (at: number) =>
    Math.min(Math.max(at < 0 ? at + list.length : at, by < 0 ? -1 : 0), list.length - Number(by < 0));
  const [from, to] = [boundOf(start), boundOf(stop)];
  const end = to === null ? (by < 0 ? -1 : list.length) : clamp(to);
  for (let at = from === null ? (by < 0 ? list.length - 1 : 0) : clamp(from); by < 0 ? at > end : at < end; at += by)
    found.push(list[at]!);
  if (typeof value === 'string') return found.join('');
  return value instanceof Tuple ? new Tuple(found) : found;
}

function boundOf(value: Value | null): number | null {
  if (value === null) return null;
  if (isNumber(value) && typeof value !== 'number') return Number(value);
  throw new TemplateFault('slice indices must be integers');
}
