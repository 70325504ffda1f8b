import { expect, it } from 'vitest';
import { dosageHolds } from '../../../functions/extraction/domain/sheet-arithmetic.ts';

it.each([
  [0.5, 3, 7, 10.5],
  [0.3333, 2, 30, 20],
  [0.33, 3, 30, 30],
  [0.67, 3, 5, 10],
  [0.6666, 3, 5, 10],
  [1.3333, 3, 3, 12],
  [0.1667, 2, 30, 10],
  [0.14, 1, 50, 7],
  [0.143, 1, 7, 1],
])('a dose of %d, %d times a day for %d days makes %d', (quantity, timesPerDay, days, prescribedQty) => {
  const numbers = { quantity, timesPerDay, days, prescribedQty };
  expect(dosageHolds(numbers, ['quantity', 'timesPerDay', 'days'])).toBe(true);
});

it.each([
  [0.5, 3, 7, 11],
  [0.3, 3, 10, 10],
  [0.3333, 2, 30, 19],
  [0.3333, 2, 30, 20.5],
  [0.34, 3, 30, 30],
  [0.25, 3, 30, 30],
  [1, 3, 7, 22],
  [0, 3, 7, 1],
])('a dose of %d, %d times a day for %d days does not make %d', (quantity, timesPerDay, days, prescribedQty) => {
  const numbers = { quantity, timesPerDay, days, prescribedQty };
  expect(dosageHolds(numbers, ['quantity', 'timesPerDay', 'days'])).toBe(false);
});

it('nothing is said of a line without a total, or without a factor', () => {
  expect(dosageHolds({ quantity: 0.33, days: 3 }, ['quantity', 'days'])).toBeNull();
  expect(dosageHolds({ quantity: null, days: 3, prescribedQty: 1 }, ['quantity', 'days'])).toBeNull();
});
