import { bound, needed } from './signature.ts';
import { sorted } from './sorted.ts';
import { type Arguments, isEqual, isTrue, itemsOf, type List, TemplateFault, type Value, wholeOf } from './values.ts';
import { written } from './written.ts';

type Method = (list: List, args: Arguments) => Value;

function one(what: string, args: Arguments): Value {
  return needed(what, 'x', bound(what, ['x'], args)[0]);
}

function placeOf(list: List, value: Value): number {
  const place = list.findIndex((each) => isEqual(each, value));
  if (place < 0) throw new TemplateFault(`${written(value)} is not in list`);
  return place;
}

/** Methods that change a list answer None, as Python's do. */
const changing = (change: (list: List, args: Arguments) => unknown): Method => {
  return (list, args) => {
    change(list, args);
    return null;
  };
};

export const LIST_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['append', changing((list, args) => list.push(one('append()', args)))],
  [
    'extend',
    changing((list, args) => {
      for (const value of [...itemsOf(one('extend()', args))]) list.push(value);
    }),
  ],
  [
    'insert',
    changing((list, args) => {
      const [index, value] = bound('insert()', ['index', 'x'], args);
      list.splice(wholeOf(needed('insert()', 'index', index), 'index'), 0, needed('insert()', 'x', value));
    }),
  ],
  ['remove', changing((list, args) => list.splice(placeOf(list, one('remove()', args)), 1))],
  ['reverse', changing((list) => list.reverse())],
  ['clear', changing((list) => list.splice(0))],
  [
    'sort',
    changing((list, args) => {
      const [reverse = false] = bound('sort()', ['reverse'], args);
      list.splice(0, list.length, ...sorted(list, (value) => value, isTrue(reverse)));
    }),
  ],
  [
    'pop',
    (list, args) => {
      const [index = -1n] = bound('pop()', ['index'], args);
      const [value] = list.splice(wholeOf(index, 'index'), 1);
      if (value === undefined) throw new TemplateFault('pop index out of range');
      return value;
    },
  ],
  ['index', (list, args) => BigInt(placeOf(list, one('index()', args)))],
  [
    'count',
    (list, args) => {
      const value = one('count()', args);
      return BigInt(list.filter((each) => isEqual(each, value)).length);
    },
  ],
  ['copy', (list) => [...list]],
]);
