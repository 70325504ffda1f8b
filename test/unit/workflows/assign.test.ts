import { expect, it } from 'vitest';
import { assigned, hasTypes } from '../../../functions/workflows/domain/engine/assign.ts';
import type { Json } from '../../../functions/workflows/domain/graph/graph.ts';

it.each<[string, Json, Json, Json]>([
  ['overwrite', 'old', 'new', 'new'],
  ['append', [1], 2, [1, 2]],
  ['append', null, 1, [1]],
  ['extend', [1], [2, 3], [1, 2, 3]],
  ['clear', [1], null, []],
  ['clear', 'text', null, ''],
  ['clear', 5, null, 0],
  ['add', 5, '2', 7],
  ['subtract', 5, 2, 3],
  ['multiply', 5, 2, 10],
  ['divide', 5, 2, 2.5],
  ['remove_first', [1, 2], null, [2]],
  ['remove_last', [1, 2], null, [1]],
])('the operation %s of %j with %j gives %j', (operation, current, value, expected) => {
  expect(assigned(current, operation, value)).toEqual(expected);
});

it.each<[Json, string | undefined, string | undefined, boolean]>([
  ['a', undefined, undefined, true],
  ['a', 'text', undefined, true],
  ['7', 'number', undefined, false],
  [null, 'text', undefined, false],
  [[1], 'list', undefined, true],
  [[1, 2], 'list', 'number', true],
  [[1, 'a'], 'list', 'number', false],
  ['a', 'any', 'number', true],
])('the value %j of the types %s and %s: %s', (value, value_type, entry_type, expected) => {
  const types = { ...(value_type && { value_type }), ...(entry_type && { entry_type }) };
  expect(hasTypes(value, types)).toBe(expected);
});
