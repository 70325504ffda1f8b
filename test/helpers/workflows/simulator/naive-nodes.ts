import type { Json, JsonObject } from '../../../../functions/workflows/domain/graph/graph.ts';

const entriesOf = (value: Json): Json[] =>
  Array.isArray(value) ? [...(value as Json[])] : value === null || value === '' ? [] : [value];

/** An operation of an assigner, in the plainest way. */
export function naivelyAssigned(current: Json, operation: string, value: Json): Json {
  const list = entriesOf(current);
  if (operation === 'append') return [...list, value];
  if (operation === 'extend') return [...list, ...entriesOf(value)];
  if (operation === 'remove_first') return list.filter((_, index) => index > 0);
  if (operation === 'remove_last') return list.filter((_, index) => index < list.length - 1);
  if (operation === 'clear') {
    if (Array.isArray(current)) return [];
    if (current === null) return null;
    return { object: {}, number: 0, boolean: false, string: '' }[typeof current as 'string'];
  }
  if (operation === 'overwrite') return value;
  const [a, b] = [Number(current ?? 0), Number(value ?? 0)];
  const result = operation === 'add' ? a + b : operation === 'subtract' ? a - b : a * b;
  return Number.isFinite(result) ? result : current;
}

/** A list operator on numbers. @returns null where it fails */
export function naivelyOperated(items: Json, { filter, extract, sort, limit }: JsonObject): JsonObject | null {
  if (items !== null && !Array.isArray(items)) return null;
  let list = entriesOf(items);
  if (filter !== undefined)
    list = list.filter((each) => (typeof each === 'number' || isNumeric(each)) && Number(each) > 3);
  if (extract !== undefined) {
    const found = list[Number(extract) - 1];
    if (found === undefined) return null;
    list = [found];
  }
  if (sort !== undefined) {
    list.sort((a, b) => Number(a) - Number(b));
    if ((sort as JsonObject).order === 'desc') list.reverse();
  }
  if (limit !== undefined) list = list.slice(0, Number(limit));
  return { result: list, first: list[0] ?? null, last: list.at(-1) ?? null };
}

function isNumeric(value: Json): boolean {
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
}
