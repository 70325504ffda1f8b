import { expect, it } from 'vitest';
import { BodyBudget } from '../../../gateway/body-budget.ts';

const busy = expect.objectContaining({ status: 503, code: 'busy' });

it('gives no more than there is, and takes back only once', () => {
  const budget = new BodyBudget(100);
  const giveBack = budget.take(50, 'a');
  budget.take(50, 'b');
  expect(() => budget.take(1, 'c')).toThrow(busy);
  giveBack();
  giveBack();
  budget.take(50, 'c');
  expect(() => budget.take(1, 'd')).toThrow(busy);
});

it('keeps half from any one address, which may have a larger one alone', () => {
  const budget = new BodyBudget(100);
  const giveBack = budget.take(40, 'a');
  expect(() => budget.take(11, 'a')).toThrow(busy);
  budget.take(10, 'a');
  budget.take(20, 'b');
  giveBack();
  expect(() => budget.take(41, 'a')).toThrow(busy);
  expect(() => new BodyBudget(100).take(80, 'a')).not.toThrow();
});

it('forgets an address that holds nothing; an empty body is free', () => {
  const budget = new BodyBudget(10);
  budget.take(10, 'a')();
  budget.take(0, 'a')();
  budget.take(10, 'a');
  expect(() => budget.take(0, 'b')).not.toThrow();
});
