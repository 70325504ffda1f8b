import type { PostedChange } from '../../accounts/domain/posting.ts';
import { ABSENT, accountKey, entryKey } from '../dynamodb/keys.ts';
import type { TransactItem, Writes } from '../dynamodb/transactions.ts';
import { outboxItem } from './dynamo-outbox.ts';

export type PostingPart = 'account' | 'entry' | 'notice';

/** The part of a transaction that stores a posted change, on the condition that the account still has the version before it. */
export function postingWrites(table: string, { before, after, entry, notice }: PostedChange): Writes<PostingPart> {
  const put = (Item: Record<string, unknown>): TransactItem => ({
    Put: { TableName: table, Item, ConditionExpression: ABSENT },
  });
  const account: TransactItem = {
    Update: {
      TableName: table,
      Key: accountKey(before.workspaceId),
      UpdateExpression:
        'SET balanceKrw = :balanceKrw, freeCallsUsed = :freeCallsUsed, updatedAt = :updatedAt, ' +
        'lowBalanceTold = :lowBalanceTold, #version = :after',
      // The version alone would do; the second condition keeps any future writer from overdrawing the balance.
      ConditionExpression: '#version = :before AND balanceKrw >= :charge',
      ExpressionAttributeNames: { '#version': 'version' },
      ExpressionAttributeValues: {
        ':balanceKrw': after.balanceKrw,
        ':freeCallsUsed': after.freeCallsUsed,
        ':updatedAt': after.updatedAt,
        ':lowBalanceTold': after.lowBalanceTold,
        ':before': before.version,
        ':after': after.version,
        ':charge': before.balanceKrw - after.balanceKrw,
      },
    },
  };
  return [
    ['account', account],
    ['entry', put({ ...entryKey(entry.workspaceId, entry.sequence), ...entry })],
    ...(notice === null ? [] : [['notice', put(outboxItem(notice))] as const]),
  ];
}
