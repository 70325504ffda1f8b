import type { PostedChange } from '../../accounts/domain/posting.ts';
import { and, atLeast, equal } from '../dynamodb/expressions.ts';
import { accountKey, entryKey } from '../dynamodb/keys.ts';
import type { DynamoTable } from '../dynamodb/table.ts';
import type { Writes } from '../dynamodb/transactions.ts';
import { outboxItem } from './dynamo-outbox.ts';

export type PostingPart = 'account' | 'entry' | 'notice';

/** The part of a transaction that stores a posted change, on the condition that the account still has the version before it. */
export function postingWrites(table: DynamoTable, { before, after, entry, notice }: PostedChange): Writes<PostingPart> {
  const { balanceKrw, freeCallsUsed, updatedAt, lowBalanceNotified, version } = after;
  const account = table.updatePart(accountKey(before.workspaceId), {
    set: { balanceKrw, freeCallsUsed, updatedAt, lowBalanceNotified, version },
    // The version alone would do; the second condition keeps any future writer from overdrawing the balance.
    condition: and(equal('version', before.version), atLeast('balanceKrw', before.balanceKrw - balanceKrw)),
  });
  return [
    ['account', account],
    ['entry', table.putPart({ ...entryKey(entry.workspaceId, entry.sequence), ...entry })],
    ...(notice === null ? [] : [['notice', table.putPart(outboxItem(notice))] as const]),
  ];
}
