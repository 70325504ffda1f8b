import { randomUUID } from 'node:crypto';
import {
  type DynamoDBClient,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { CannotStart } from '../cannot-start.ts';

/** A faulty store loses most of them. */
const RACES = 20;
const RIVALS = 4;
const KEPT_SECONDS = 60 * 60;

/**
 * Races of transactions that create the same two items, and of updates that create the same counter. A store where two win charges a call
 * twice. @throws CannotStart for such a store.
 */
export async function checkTransactions(client: DynamoDBClient, TableName: string): Promise<void> {
  for (let race = 0; race < RACES; race++) {
    const pk = { S: `STORE-CHECK#${randomUUID()}` };
    const winners = await Promise.all(each((rival) => wins(client, TableName, pk, rival)));
    const counts = each(() => client.send(increment(TableName, pk)));
    await Promise.allSettled(counts);
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
      }),
    );
    const bySortKey = new Map(Items.map(({ sk, rival, n }) => [sk?.S, rival?.N ?? n?.N]));
    const winner = winners.indexOf(true);
    const isExact =
      winners.filter(Boolean).length === 1 &&
      bySortKey.get('a') === String(winner) &&
      bySortKey.get('b') === String(winner) &&
      bySortKey.get('count') === String(RIVALS);
    if (!isExact)
      throw new CannotStart(
        'AWS_ENDPOINT_URL_DYNAMODB: the transactions of this store are not atomic: of several that create the same items at once, not exactly one succeeded, or an update was lost. Balances would not be safe. Use a newer version, or another store.',
      );
  }
}

function each<T>(make: (rival: number) => Promise<T>): Promise<T>[] {
  return Array.from({ length: RIVALS }, (_, rival) => make(rival));
}

async function wins(client: DynamoDBClient, TableName: string, pk: { S: string }, rival: number): Promise<boolean> {
  const put = (sk: string) => ({
    Put: {
      TableName,
      Item: { pk, sk: { S: sk }, rival: { N: String(rival) }, expiresAt: expiry() },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  });
  try {
    await client.send(new TransactWriteItemsCommand({ TransactItems: [put('a'), put('b')] }));
    return true;
  } catch (error) {
    if ((error as Error).name === 'TransactionCanceledException') return false;
    throw error;
  }
}

function increment(TableName: string, pk: { S: string }): UpdateItemCommand {
  return new UpdateItemCommand({
    TableName,
    Key: { pk, sk: { S: 'count' } },
    UpdateExpression: 'ADD n :one SET expiresAt = :expiry',
    ExpressionAttributeValues: { ':one': { N: '1' }, ':expiry': expiry() },
  });
}

function expiry(): { N: string } {
  return { N: String(Math.floor(Date.now() / 1000) + KEPT_SECONDS) };
}
