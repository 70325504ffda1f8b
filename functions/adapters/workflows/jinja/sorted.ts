import { compare, Tuple, type Value } from './values.ts';

/** Values in the order of their keys; equal ones keep their order. */
export function sorted(values: readonly Value[], keyOf: (value: Value) => Value, isReversed = false): Value[] {
  const keyed = values.map((value) => ({ key: keyOf(value), value }));
  keyed.sort((a, b) => (isReversed ? compare(b.key, a.key) : compare(a.key, b.key)));
  return keyed.map(({ value }) => value);
}

/** A key in which capitals equal small letters. */
export function folded(value: Value): Value {
  if (value instanceof Tuple) return new Tuple(value.items.map(folded));
  return typeof value === 'string' ? value.toLowerCase() : value;
}
