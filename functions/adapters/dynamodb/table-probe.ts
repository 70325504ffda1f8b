import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DynamoTable } from './table.ts';

/** Resolves when the table answers. Reads an item that is never there: the right to describe tables is not needed. */
export async function probeTable(client: DynamoDBDocumentClient, table: string): Promise<void> {
  await new DynamoTable(client, table).get({ pk: 'health', sk: 'health' }, { consistent: false });
}
