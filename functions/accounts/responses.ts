import type * as z from 'zod';
import type { Account, LedgerEntry } from './domain/account.ts';
import type { balance, topUpResult } from './schemas.ts';

export function toBalanceResponse({
  balanceKrw,
  lowBalanceThresholdKrw,
  updatedAt,
}: Account): z.output<typeof balance> {
  return { balanceKrw, lowBalanceThresholdKrw, updatedAt };
}

export function toEntryResponse(entry: LedgerEntry): z.output<typeof topUpResult>['entry'] {
  const { entryId, kind, amountKrw, balanceKrw, reference, createdAt } = entry;
  return { id: entryId, type: kind, amountKrw, balanceAfterKrw: balanceKrw, reference, createdAt };
}
