import type * as z from 'zod';
import type { budget } from './budget-schemas.ts';
import { renewsAtMs } from './domain/budgets.ts';
import type { BudgetView } from './domain/manage-budgets.ts';

export function toBudgetResponse(
  { subject, budget: stored, tokens }: BudgetView,
  nowMs: number,
): z.output<typeof budget> {
  const { krwPerDay, krwPerMonth, tokensPerDay, tokensPerMonth, dayKrw, monthKrw, setAt } = stored;
  return {
    ...subject,
    krw_per_day: krwPerDay,
    krw_per_month: krwPerMonth,
    tokens_per_day: tokensPerDay,
    tokens_per_month: tokensPerMonth,
    spent: {
      krw_today: dayKrw,
      krw_this_month: monthKrw,
      tokens_today: tokens.day,
      tokens_this_month: tokens.month,
    },
    day_renews_at: new Date(renewsAtMs('krw_per_day', nowMs)).toISOString(),
    month_renews_at: new Date(renewsAtMs('krw_per_month', nowMs)).toISOString(),
    set_at: setAt,
  };
}
