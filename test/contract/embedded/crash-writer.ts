/**
 * Run as a child by crash.test.ts, and killed: moves 1 KRW a time from a balance to a ledger, one transaction each, and
 * prints the number of every transaction that was acknowledged.
 */
import { openDynamoDatabase } from '../../../local/embedded/dynamodb/database.ts';

const [directory = '', start = '0'] = process.argv.slice(2);
const database = await openDynamoDatabase(directory);
for (let n = Number(start); ; n += 1) {
  await database.execute('TransactWriteItems', {
    TransactItems: [
      {
        Update: {
          TableName: 'accounts',
          Key: { pk: { S: 'w' }, sk: { S: 'balance' } },
          UpdateExpression: 'ADD krw :minus',
          ExpressionAttributeValues: { ':minus': { N: '-1' } },
        },
      },
      {
        Put: {
          TableName: 'extractions',
          Item: { pk: { S: 'w' }, sk: { S: `entry#${n}` }, filler: { S: 'x'.repeat(5000) } },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      },
    ],
  });
  process.stdout.write(`${n}\n`);
}
