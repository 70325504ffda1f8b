import type { Filter } from './filter.ts';
import { itemOf, pathOf } from './members.ts';
import { BINARY } from './operators.ts';
import { bound, isGiven, needed } from './signature.ts';
import { folded, sorted } from './sorted.ts';
import { testNamed } from './tests.ts';
import {
  type Arguments,
  compare,
  isEqual,
  isTrue,
  itemsOf,
  lengthOf,
  MAX_LENGTH,
  TemplateFault,
  Tuple,
  Undefined,
  type Value,
  wholeOf,
} from './values.ts';
import { textOf } from './written.ts';

/** The key of values by the argument `attribute`: a path, or several of them with commas. */
function keyBy(attribute: Value | undefined, isCaseSensitive: boolean): (value: Value) => Value {
  const keyOf = isCaseSensitive ? (value: Value) => value : folded;
  if (!isGiven(attribute)) return keyOf;
  const paths = typeof attribute === 'string' ? attribute.split(',') : [attribute];
  if (paths.length === 1) return (value) => keyOf(pathOf(value, paths[0]!));
  return (value) => new Tuple(paths.map((path) => keyOf(pathOf(value, path))));
}

const isTruly = (value: Value | undefined) => value !== undefined && isTrue(value);

/** `select`, `reject`, `selectattr`, `rejectattr` */
function selecting(isKept: boolean, byAttribute: boolean): Filter {
  return (values, { positional }) => {
    const [path, ...rest] = byAttribute ? positional : [undefined, ...positional];
    const subject = (value: Value) => (path === undefined ? value : pathOf(value, path));
    if (byAttribute) needed('selectattr', 'attribute', path);
    const [name, ...args] = rest;
    const test = name === undefined ? isTrue : testNamed(textOf(name));
    const other = args[0] ?? new Undefined('the value to compare with');
    if (!isTrue(values)) return [];
    return itemsOf(values).filter((value) => test(subject(value), other) === isKept);
  };
}

function extreme(sign: number): Filter {
  return (values, args) => {
    const [isCaseSensitive, attribute] = bound('min', ['case_sensitive', 'attribute'], args);
    const keyOf = keyBy(attribute, isTruly(isCaseSensitive));
    const [first, ...rest] = itemsOf(values);
    if (first === undefined) return new Undefined('the first of no values');
    return rest.reduce((best, value) => (compare(keyOf(value), keyOf(best)) * sign > 0 ? value : best), first);
  };
}

function grouped(values: Value, args: Arguments): { readonly key: Value; readonly members: Value[] }[] {
  const [attribute, otherwise, isCaseSensitive] = bound('groupby', ['attribute', 'default', 'case_sensitive'], args);
  const path = needed('groupby', 'attribute', attribute);
  const groupOf = (value: Value) => {
    const found = pathOf(value, path);
    return found instanceof Undefined && otherwise !== undefined ? otherwise : found;
  };
  const keyOf = (value: Value) => (isTruly(isCaseSensitive) ? groupOf(value) : folded(groupOf(value)));
  const groups: { key: Value; folded: Value; members: Value[] }[] = [];
  for (const value of sorted(itemsOf(values), keyOf)) {
    const last = groups.at(-1);
    if (last && isEqual(last.folded, keyOf(value))) last.members.push(value);
    else groups.push({ key: groupOf(value), folded: keyOf(value), members: [value] });
  }
  return groups;
}

function mapped(values: Value, args: Arguments, apply: (name: string, value: Value, args: Arguments) => Value): Value {
  if (!isTrue(values)) return [];
  const attribute = args.named.get('attribute');
  if (attribute !== undefined) {
    const otherwise = args.named.get('default');
    return itemsOf(values).map((value) => {
      const found = pathOf(value, attribute);
      return found instanceof Undefined && otherwise !== undefined ? otherwise : found;
    });
  }
  const [name, ...positional] = args.positional;
  const filter = textOf(needed('map', 'a filter', name));
  return itemsOf(values).map((value) => apply(filter, value, { positional, named: args.named }));
}

/** The filters of lists. @param apply uses a filter by its name */
export function listFilters(apply: (name: string, value: Value, args: Arguments) => Value): [string, Filter][] {
  return [
    ['map', (values, args) => mapped(values, args, apply)],
    ['select', selecting(true, false)],
    ['reject', selecting(false, false)],
    ['selectattr', selecting(true, true)],
    ['rejectattr', selecting(false, true)],
    ['min', extreme(-1)],
    ['max', extreme(1)],
    ['list', (values) => [...itemsOf(values)]],
    ['length', (value) => BigInt(lengthOf(value))],
    ['count', (value) => BigInt(lengthOf(value))],
    ['first', (values) => endOf(values, 0)],
    ['last', (values) => endOf(values, -1)],
    ['random', (values) => chosen(itemsOf(values))],
    [
      'groupby',
      (values, args) => grouped(values, args).map(({ key, members }) => new Tuple([key, members], ['grouper', 'list'])),
    ],
    [
      'join',
      (values, args) => {
        const [mark = '', attribute] = bound('join', ['d', 'attribute'], args);
        const parts = isGiven(attribute) ? itemsOf(values).map((value) => pathOf(value, attribute)) : itemsOf(values);
        const text = parts.map(textOf).join(textOf(mark));
        if (text.length > MAX_LENGTH) throw new TemplateFault(`A text has more than ${MAX_LENGTH} characters.`);
        return text;
      },
    ],
    [
      'sum',
      (values, args) => {
        const [attribute, start = 0n] = bound('sum', ['attribute', 'start'], args);
        const numbers = isGiven(attribute) ? itemsOf(values).map((value) => pathOf(value, attribute)) : itemsOf(values);
        return numbers.reduce((sum, value) => BINARY['+']!(sum, value), start);
      },
    ],
    [
      'sort',
      (values, args) => {
        const [isReversed, isCaseSensitive, by] = bound('sort', ['reverse', 'case_sensitive', 'attribute'], args);
        return sorted(itemsOf(values), keyBy(by, isTruly(isCaseSensitive)), isTruly(isReversed));
      },
    ],
    [
      'unique',
      (values, args) => {
        const [isCaseSensitive, attribute] = bound('unique', ['case_sensitive', 'attribute'], args);
        const keyOf = keyBy(attribute, isTruly(isCaseSensitive));
        const keys: Value[] = [];
        return itemsOf(values).filter((value) => {
          const key = keyOf(value);
          if (keys.some((each) => isEqual(each, key))) return false;
          keys.push(key);
          return true;
        });
      },
    ],
    [
      'dictsort',
      (dict, args) => {
        const [isCaseSensitive, by = 'key', reverse] = bound('dictsort', ['case_sensitive', 'by', 'reverse'], args);
        const key = keyBy(by === 'value' ? 1n : 0n, isTruly(isCaseSensitive));
        return sorted(pairs(dict), key, isTruly(reverse));
      },
    ],
    ['items', pairs],
    [
      'batch',
      (values, args) => {
        const [size, fill] = bound('batch', ['linecount', 'fill_with'], args);
        const width = wholeOf(needed('batch', 'linecount', size), 'linecount');
        if (width < 1) throw new TemplateFault('batch needs a size of 1 or more');
        const all = itemsOf(values);
        return Array.from({ length: Math.ceil(all.length / width) }, (_, index) =>
          padded(all.slice(index * width, (index + 1) * width), width, fill),
        );
      },
    ],
    ['slice', sliced],
    [
      'reverse',
      (values) => (typeof values === 'string' ? [...values].reverse().join('') : [...itemsOf(values)].reverse()),
    ],
  ];
}

function sliced(values: Value, args: Arguments): Value {
  const [slices, fill] = bound('slice', ['slices', 'fill_with'], args);
  const count = wholeOf(needed('slice', 'slices', slices), 'slices');
  if (count < 1 || count > MAX_LENGTH) throw new TemplateFault('slice needs a number of slices of 1 or more');
  const all = itemsOf(values);
  const [size, longer] = [Math.floor(all.length / count), all.length % count];
  return Array.from({ length: count }, (_, index) => {
    const start = index * size + Math.min(index, longer);
    const slice = all.slice(start, start + size + Number(index < longer));
    return index >= longer && longer > 0
      ? padded(slice, size + 1, fill)
      : index >= longer && isGiven(fill)
        ? [...slice, fill]
        : slice;
  });
}

function padded(values: readonly Value[], length: number, fill: Value | undefined): Value[] {
  if (!isGiven(fill)) return [...values];
  if (length > MAX_LENGTH) throw new TemplateFault(`A list is longer than ${MAX_LENGTH}.`);
  return [...values, ...Array.from({ length: Math.max(0, length - values.length) }, () => fill)];
}

function pairs(dict: Value): Value[] {
  if (dict instanceof Undefined) return [];
  if (!(dict instanceof Map)) throw new TemplateFault('Can only get item pairs from a mapping.');
  return [...dict].map((pair) => new Tuple(pair));
}

function endOf(values: Value, index: 0 | -1): Value {
  const value = itemsOf(values).at(index);
  return value === undefined ? new Undefined('the end of no values') : value;
}

function chosen(values: readonly Value[]): Value {
  return itemOf(values, BigInt(Math.floor(Math.random() * values.length)));
}
