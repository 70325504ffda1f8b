import type * as z from 'zod';
import type { Account, LedgerEntry } from './domain/account.ts';
import type { AuditEntry } from './domain/audit.ts';
import type { auditPage, balance, topUpResult } from './schemas.ts';

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

export function toAuditResponse(entry: AuditEntry): z.output<typeof auditPage>['entries'][number] {
  const { auditId: id, action, actor, target, details, address, userAgent, requestId, createdAt } = entry;
  return {
    ...{ id, action, actor: { ...actor }, target, details: { ...details } },
    ...{ address, user_agent: userAgent, request_id: requestId, created_at: createdAt },
  };
}
