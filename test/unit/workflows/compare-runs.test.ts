import { expect, it } from 'vitest';
import { changedValues } from '../../../functions/workflows/domain/run/compare-runs.ts';

it('values of two runs differ by their deepest members, with the path of each', () => {
  const first = { body: { items: [{ n: 1 }, { n: 2 }], status: 200, gone: true }, order: 1 };
  const second = { order: 1, body: { status: 201, items: [{ n: 1 }, { n: 3 }, 'new'] } };
  expect(changedValues(first, second)).toEqual({
    isSame: false,
    changes: [
      { member: 'body.items.1.n', first: 2, second: 3 },
      { member: 'body.items.2', second: 'new' },
      { member: 'body.status', first: 200, second: 201 },
      { member: 'body.gone', first: true },
    ],
    omitted: 0,
  });
});

it('the order of members is not a difference between two runs', () => {
  expect(changedValues({ a: { x: 1, y: [] }, b: null }, { b: null, a: { y: [], x: 1 } }).isSame).toBe(true);
  expect(changedValues(null, null)).toEqual({ isSame: true, changes: [], omitted: 0 });
});

it('a value of another structure is one change, and so is one that only one run has given out', () => {
  expect(changedValues({ a: [1] }, { a: { 0: 1 } }).changes).toEqual([{ member: 'a', first: [1], second: { 0: 1 } }]);
  expect(changedValues({ a: null }, { a: {} }).changes).toEqual([{ member: 'a', first: null, second: {} }]);
  expect(changedValues(null, { a: 1 }).changes).toEqual([{ member: '', second: { a: 1 } }]);
});

it('names that every object inherits are members like others', () => {
  const second = JSON.parse('{"constructor": 1, "__proto__": 2}');
  expect(changedValues({}, second).changes).toEqual([
    { member: 'constructor', second: 1 },
    { member: '__proto__', second: 2 },
  ]);
});

it('twenty changes are listed, the rest is counted up to a thousand, and deep values are one change', () => {
  const numbers = (first: number, length: number) => ({ list: Array.from({ length }, (_, index) => first + index) });
  const few = changedValues(numbers(0, 25), numbers(1, 25));
  expect([few.changes.length, few.omitted]).toEqual([20, 5]);
  const many = changedValues(numbers(0, 500_000), numbers(1, 500_000));
  expect([many.changes.length, many.omitted]).toEqual([20, 980]);
  const deep = (value: number) => JSON.parse(`${'{"a":'.repeat(200)}${value}${'}'.repeat(200)}`);
  expect(changedValues(deep(1), deep(2)).changes.map(({ member }) => member)).toEqual([Array(20).fill('a').join('.')]);
});
