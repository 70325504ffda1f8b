import type { ServiceManners } from '../shared/http/api-handler.ts';
import { Problem } from '../shared/http/problem.ts';
import { extractionBody } from '../shared/http/problem-body.ts';
import { type BalanceRefusal, BalanceRefused } from './domain/balance-refused.ts';

const STATUS: Readonly<Record<BalanceRefusal, number>> = { reference_reused: 422, try_again: 503 };

/** The balance belongs to specification 1, and so do its error bodies. */
export const balanceManners: ServiceManners = {
  presentProblem: extractionBody,
  problemOf(error) {
    if (!(error instanceof BalanceRefused)) return null;
    const { refusal, message, details } = error;
    return new Problem(STATUS[refusal], refusal, message, {
      headers: refusal === 'try_again' ? { 'retry-after': '1' } : {},
      ...(Object.keys(details).length > 0 && { details: { ...details } }),
    });
  },
};
