import type * as z from 'zod';
import type { Account, LedgerEntry } from './domain/account.ts';
import { apiKeyPrefix } from './domain/api-key.ts';
import type { AuditEntry } from './domain/audit.ts';
import type { ApiKeyRecord } from './domain/authenticate.ts';
import type { TopUpResult } from './domain/top-up.ts';
import type { UsageAmounts, UsageReport } from './domain/usage.ts';
import type { apiKeyList, auditPage, balance, topUpResult, usageReport } from './schemas.ts';

export function toBalanceResponse({
  balanceKrw,
  lowBalanceThresholdKrw,
  updatedAt,
}: Account): z.output<typeof balance> {
  return { balanceKrw, lowBalanceThresholdKrw, updatedAt };
}

export function toEntryResponse(entry: LedgerEntry): z.output<typeof topUpResult>['entry'] {
  const { entryId, kind, amountKrw, balanceKrw, reference, keyId: apiKeyId = null, createdAt } = entry;
  return { id: entryId, type: kind, amountKrw, balanceAfterKrw: balanceKrw, reference, apiKeyId, createdAt };
}

export function toTopUpReply({ entry, account, replayed }: TopUpResult) {
  const body: z.output<typeof topUpResult> = { entry: toEntryResponse(entry), balance: toBalanceResponse(account) };
  return { status: 201, body, headers: replayed ? { 'idempotent-replayed': 'true' } : {} };
}

export function toAuditResponse(entry: AuditEntry): z.output<typeof auditPage>['entries'][number] {
  const { auditId: id, action, actor, target, details, address, userAgent, requestId, createdAt } = entry;
  return {
    id,
    action,
    actor: { ...actor },
    target,
    details: { ...details },
    address,
    user_agent: userAgent,
    request_id: requestId,
    created_at: createdAt,
  };
}

export function toApiKeyResponse(key: ApiKeyRecord): z.output<typeof apiKeyList>[number] {
  const { id, name, scopes, createdAt, lastUsedAt, validUntil } = key;
  return {
    id,
    name,
    prefix: apiKeyPrefix(id),
    scopes: [...scopes],
    created_at: createdAt,
    last_used_at: lastUsedAt,
    expires_at: validUntil,
  };
}

export function toUsageResponse(
  { groups, total }: UsageReport,
  period: Pick<z.output<typeof usageReport>, 'from' | 'to' | 'group_by'>,
): z.output<typeof usageReport> {
  const rows = groups.map(({ name, amounts }) => ({ group: name, ...toAmounts(amounts) }));
  return { ...period, groups: rows, total: toAmounts(total) };
}

function toAmounts({ calls, krw, pages, tokensIn, tokensOut, sandboxMs }: UsageAmounts) {
  return { calls, krw, pages, tokens_in: tokensIn, tokens_out: tokensOut, sandbox_seconds: sandboxMs / 1000 };
}
