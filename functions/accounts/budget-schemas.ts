import * as z from 'zod';
import { BUDGET_KINDS } from './domain/budgets.ts';

const kind = z.enum(BUDGET_KINDS, { error: 'must be key or application' });

export const budgetParams = z.object({
  kind: kind.describe('key: an API key; application: a chat application'),
  id: z.string().min(1).max(100).describe('Id of the key or the application'),
});

const limit = (unit: string) =>
  z
    .int({ error: `must be a whole number of ${unit} of at least 0, or null` })
    .min(0, { error: `must be a whole number of ${unit} of at least 0, or null` })
    .nullable()
    .default(null);

export const budgetBody = z
  .strictObject({
    krw_per_day: limit('KRW').describe('Of charges, within a day of UTC; null or absent: no limit'),
    krw_per_month: limit('KRW').describe('Of charges, within a month of UTC; null or absent: no limit'),
    tokens_per_day: limit('tokens').describe('Of questions and answers of models together; null or absent: no limit'),
    tokens_per_month: limit('tokens').describe('The same within a month of UTC; null or absent: no limit'),
  })
  .refine((limits) => Object.values(limits).some((value) => value !== null), {
    error: 'must set at least one limit; DELETE removes the budget',
  });

const amount = z.int().nonnegative().nullable();
const spent = z.int().nonnegative();

export const budget = z.object({
  kind,
  id: z.string(),
  krw_per_day: amount,
  krw_per_month: amount,
  tokens_per_day: amount,
  tokens_per_month: amount,
  spent: z
    .object({
      krw_today: spent,
      krw_this_month: spent,
      tokens_today: spent.nullable().describe('null: not limited, and so not counted here'),
      tokens_this_month: spent.nullable().describe('null: not limited, and so not counted here'),
    })
    .describe('Since the budget was first set'),
  day_renews_at: z.iso.datetime(),
  month_renews_at: z.iso.datetime(),
  set_at: z.iso.datetime(),
});

export const budgetList = z.array(budget);
