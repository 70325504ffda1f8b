import { Problem } from '../shared/http/problem.ts';
import { type BalanceRefusal, BalanceRefused } from './domain/balance-refused.ts';

const STATUS: Readonly<Record<BalanceRefusal, number>> = { reference_reused: 422, try_again: 503 };

/** Errors of the accounts' domain, as their clients get them. */
export function toProblem(error: unknown): Problem | null {
  if (!(error instanceof BalanceRefused)) return null;
  const { refusal, message, details } = error;
  return new Problem(STATUS[refusal], refusal, message, {
    headers: refusal === 'try_again' ? { 'retry-after': '1' } : {},
    ...(Object.keys(details).length > 0 && { details: { ...details } }),
  });
}
