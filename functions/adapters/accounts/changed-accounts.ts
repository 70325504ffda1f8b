import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { accountKey } from '../dynamodb/keys.ts';

/** Workspaces whose balance has changed, found by a scan of all accounts. */
export async function* changedAccounts(
  client: DynamoDBDocumentClient,
  table: string,
  since: string,
): AsyncGenerator<string> {
  const pages = paginateScan(
    { client },
    {
      TableName: table,
      FilterExpression: '#sk = :account AND #updatedAt >= :since',
      ProjectionExpression: '#workspaceId',
      ExpressionAttributeNames: { '#sk': 'sk', '#updatedAt': 'updatedAt', '#workspaceId': 'workspaceId' },
      ExpressionAttributeValues: { ':account': accountKey('').sk, ':since': since },
    },
  );
  for await (const { Items = [] } of pages) for (const { workspaceId } of Items) yield String(workspaceId);
}
