import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

let shared: DynamoDBDocumentClient | undefined;

/** One client, and one pool of connections, for all adapters of a runtime. */
export function dynamoClient(): DynamoDBDocumentClient {
  shared ??= newDynamoClient();
  return shared;
}

/** A client of its own, for tests that talk to a database of their own. */
export function newDynamoClient(endpoint?: string): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    ...(endpoint !== undefined && { endpoint }),
    // The SDK's retries of a transaction repeat its client token: they cannot charge twice.
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
  });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}
