import { dayOf } from './usage.ts';

/** Why a period cannot be reported; the message is for the client. */
export class PeriodRefused extends Error {
  override name = 'PeriodRefused';
}

export const MAX_PERIOD_DAYS = 366;
const DEFAULT_PERIOD_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/** The days of a report, both inclusive; by default the last 30 until today, in UTC. @throws PeriodRefused */
export function usagePeriod(
  wanted: { readonly from?: string | undefined; readonly to?: string | undefined },
  nowMs: number,
): { readonly from: string; readonly to: string } {
  const to = wanted.to ?? dayOf(nowMs);
  const from = wanted.from ?? dayOf(Date.parse(to) - (DEFAULT_PERIOD_DAYS - 1) * DAY_MS);
  if (from > to) throw new PeriodRefused(`from: ${from} is after to, ${to}. Swap the two.`);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days > MAX_PERIOD_DAYS)
    throw new PeriodRefused(`from: the period has ${days} days, and may have ${MAX_PERIOD_DAYS}. Ask for it in parts.`);
  return { from, to };
}
