import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

/** Resolves when the table answers. Reads an item that is never there: the right to describe tables is not needed. */
export async function probeTable(client: DynamoDBDocumentClient, table: string): Promise<void> {
  await client.send(new GetCommand({ TableName: table, Key: { pk: 'health', sk: 'health' } }));
}
