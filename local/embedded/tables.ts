import { tables } from '../../functions/shared/resources.ts';
import type { DynamoDatabase } from './dynamodb/database.ts';
import { errorName, isServiceError } from './dynamodb/errors.ts';

/** Creates the tables that are named and not there yet; `names` maps a table's variable to its local name. */
export async function createTables(dynamodb: DynamoDatabase, names: Readonly<Record<string, string>>): Promise<void> {
  for (const { environment, partitionKey, sortKey } of Object.values(tables)) {
    const TableName = names[environment];
    if (TableName === undefined) continue;
    try {
      await dynamodb.execute('CreateTable', {
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [
          { AttributeName: partitionKey, AttributeType: 'S' },
          { AttributeName: sortKey, AttributeType: 'S' },
        ],
        KeySchema: [
          { AttributeName: partitionKey, KeyType: 'HASH' },
          { AttributeName: sortKey, KeyType: 'RANGE' },
        ],
      });
    } catch (error) {
      if (!isServiceError(error) || errorName(error) !== 'ResourceInUseException') throw error;
    }
  }
}
