import { expect, it } from 'vitest';
import {
  type Budget,
  type Budgets,
  budgetRefusal,
  exceededLimit,
  renewsAtMs,
  spendBudgets,
} from '../../../functions/accounts/domain/budgets.ts';

const NOW = Date.parse('2026-11-30T23:59:00Z');
const budget = (changes: Partial<Budget> = {}): Budget => ({
  ...{ krwPerDay: null, krwPerMonth: null, tokensPerDay: null, tokensPerMonth: null },
  ...{ day: '2026-11-30', dayKrw: 0, month: '2026-11', monthKrw: 0, setAt: '2026-11-01T00:00:00.000Z' },
  ...changes,
});
const payer = { keyId: 'k', applicationId: 'a' };

it('a charge counts for its key and its application, each once', () => {
  const budgets = { 'key k': budget(), 'application a': budget(), 'key other': budget() };
  const after = spendBudgets(budgets, payer, 200, NOW).budgets!;
  expect(Object.values(after).map(({ dayKrw, monthKrw }) => [dayKrw, monthKrw])).toEqual([
    [200, 200],
    [200, 200],
    [0, 0],
  ]);
});

it('a free charge changes no budget, and fits into one of nothing', () => {
  const budgets = { 'key k': budget({ krwPerDay: 0 }) };
  expect(spendBudgets(budgets, payer, 0, NOW)).toEqual({ budgets, reached: [] });
  expect(exceededLimit(budgets, payer, 0, NOW)).toBeNull();
  expect(exceededLimit(budgets, payer, 1, NOW)).toMatchObject({ field: 'krw_per_day', limit: 0, spent: 0 });
});

it('spending of yesterday and of the last month no longer counts', () => {
  const budgets = { 'key k': budget({ krwPerDay: 200, dayKrw: 200, krwPerMonth: 1_000, monthKrw: 1_000 }) };
  expect(exceededLimit(budgets, payer, 200, NOW)).toMatchObject({ field: 'krw_per_day' });
  expect(exceededLimit(budgets, payer, 200, NOW + 60_000)).toBeNull();
});

it('the owners get one mail per period and limit, by the charge that reaches 80 %', () => {
  let budgets: Budgets | undefined = { 'key k': budget({ krwPerDay: 1_000, krwPerMonth: 1_500 }) };
  const reached = [1, 2, 3, 4, 5, 6].map(() => {
    const spent = spendBudgets(budgets, payer, 200, NOW);
    budgets = spent.budgets;
    return spent.reached.map(({ field }) => field);
  });
  expect(reached).toEqual([[], [], [], ['krw_per_day'], [], ['krw_per_month']]);
});

it('a refusal names limit, subject and renewal', () => {
  const { message, details, retryAfterSeconds } = budgetRefusal(
    { name: 'application a', field: 'tokens_per_month', limit: 10, spent: 12 },
    NOW,
  );
  expect(message).toMatch(/^tokens_per_month: the budget of the application a is used up: 12 of 10 tokens/);
  expect(details).toMatchObject({ budget: { kind: 'application', id: 'a' }, renewsAt: '2026-12-01T00:00:00.000Z' });
  expect(retryAfterSeconds).toBe(60);
  expect(renewsAtMs('krw_per_month', Date.parse('2026-12-05T00:00:00Z'))).toBe(Date.parse('2027-01-01T00:00:00Z'));
});
