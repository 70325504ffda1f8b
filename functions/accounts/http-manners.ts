import type { ServiceManners } from '../shared/http/api-handler.ts';
import { Problem } from '../shared/http/problem.ts';
import { extractionBody } from '../shared/http/problem-body.ts';
import { type BalanceRefusal, BalanceRefused } from './domain/balance-refused.ts';
import { AccountBusy } from './domain/change-account.ts';

const STATUS: Readonly<Record<BalanceRefusal, number>> = { reference_reused: 422 };

/** The balance belongs to specification 1, and so do its error bodies. */
export const balanceManners: ServiceManners = {
  presentProblem: extractionBody,
  problemOf(error) {
    if (error instanceof AccountBusy)
      return new Problem(503, 'try_again', error.message, { headers: { 'retry-after': '1' } });
    if (!(error instanceof BalanceRefused)) return null;
    const { refusal, message, details } = error;
    return new Problem(STATUS[refusal], refusal, message, {
      ...(Object.keys(details).length > 0 && { details: { ...details } }),
    });
  },
};
