import type { LedgerEntry } from '../../accounts/domain/account.ts';
import type { PostedChange } from '../../accounts/domain/posting.ts';
import { and, atLeast, equal } from '../dynamodb/expressions.ts';
import { accountKey, entryKey } from '../dynamodb/keys.ts';
import type { DynamoTable } from '../dynamodb/table.ts';
import type { TransactItem, Writes } from '../dynamodb/transactions.ts';
import { outboxItem } from './dynamo-outbox.ts';

export type PostingPart = 'account' | 'entry' | 'notice';

/** The part of a transaction that stores a posted change, on the condition that the account still has the version before it. */
export function postingWrites(table: DynamoTable, { entry, ...change }: PostedChange): Writes<PostingPart> {
  return [...accountWrites(table, change), ['entry', entryPart(table, entry)]];
}

/** The same without the entries that the change is the sum of. */
export function accountWrites(
  table: DynamoTable,
  { before, after, notices }: Pick<PostedChange, 'before' | 'after' | 'notices'>,
): Writes<'account' | 'notice'> {
  const { balanceKrw, freeCallsUsed, updatedAt, lowBalanceNotified, version, crowd, budgets, heldKrw } = after;
  const account = table.updatePart(accountKey(before.workspaceId), {
    set: {
      balanceKrw,
      freeCallsUsed,
      updatedAt,
      lowBalanceNotified,
      version,
      ...(crowd && { crowd }),
      ...(budgets !== before.budgets && { budgets }),
      ...(heldKrw !== before.heldKrw && { heldKrw }),
    },
    // The version alone would do; the second condition keeps any future writer from overdrawing the balance.
    condition: and(equal('version', before.version), atLeast('balanceKrw', before.balanceKrw - balanceKrw)),
  });
  return [['account', account], ...notices.map((notice) => ['notice', table.putPart(outboxItem(notice))] as const)];
}

export function entryPart(table: DynamoTable, entry: LedgerEntry): TransactItem {
  return table.putPart({ ...entryKey(entry.workspaceId, entry.sequence), ...entry });
}
