import { bound, needed } from './signature.ts';
import { type Arguments, type Dict, itemsOf, TemplateFault, Tuple, type Value } from './values.ts';
import { written } from './written.ts';

type Method = (dict: Dict, args: Arguments) => Value;

export const DICT_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['items', (dict) => [...dict].map((pair) => new Tuple(pair))],
  ['keys', (dict) => [...dict.keys()]],
  ['values', (dict) => [...dict.values()]],
  ['copy', (dict) => new Map(dict)],
  [
    'get',
    (dict, args) => {
      const [key, otherwise = null] = bound('get()', ['key', 'default'], args);
      const name = needed('get()', 'key', key);
      return dict.has(name) ? dict.get(name)! : otherwise;
    },
  ],
  [
    'pop',
    (dict, args) => {
      const [key, otherwise] = bound('pop()', ['key', 'default'], args);
      const name = needed('pop()', 'key', key);
      const value = dict.has(name) ? dict.get(name) : otherwise;
      if (value === undefined) throw new TemplateFault(`The dict has no key ${written(name)}`);
      dict.delete(name);
      return value;
    },
  ],
  [
    'setdefault',
    (dict, args) => {
      const [key, otherwise = null] = bound('setdefault()', ['key', 'default'], args);
      const name = needed('setdefault()', 'key', key);
      if (!dict.has(name)) dict.set(name, otherwise);
      return dict.get(name)!;
    },
  ],
  [
    'update',
    (dict, { positional, named }) => {
      for (const [key, value] of dictOf({ positional, named })) dict.set(key, value);
      return null;
    },
  ],
  [
    'clear',
    (dict) => {
      dict.clear();
      return null;
    },
  ],
]);

/** `dict(…)`: of another one or of pairs, and of named values. */
export function dictOf({ positional, named }: Arguments): Dict {
  const [first] = positional;
  const pairs = first instanceof Map ? [...first] : first === undefined ? [] : itemsOf(first).map(pairOf);
  return new Map([...pairs, ...named]);
}

function pairOf(value: Value): readonly [Value, Value] {
  const [key, inner, ...more] = itemsOf(value);
  if (key === undefined || inner === undefined || more.length > 0)
    throw new TemplateFault('dict() needs pairs of a key and a value');
  return [key, inner];
}
