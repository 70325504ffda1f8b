import type { Booking } from '../../accounts/domain/posting.ts';
import { ABSENT, accountKey, entryKey } from '../dynamodb/keys.ts';
import type { TransactItem, Writes } from '../dynamodb/transactions.ts';
import { outboxItem } from './dynamo-outbox.ts';

export type BookingPart = 'account' | 'entry' | 'notice';

/** The part of a transaction that stores a booking, on the condition that the account is still the one it was computed from. */
export function bookingWrites(table: string, { before, after, entry, notice }: Booking): Writes<BookingPart> {
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
      // The version alone would do. That the balance is never overdrawn is worth saying where it cannot be got round.
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
