import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { withoutCallLog } from '../shared/without-call-log.ts';
import { countThrottles } from './count-throttles.ts';

let shared: DynamoDBDocumentClient | undefined;

/** One client, and one pool of connections, for all adapters of a runtime. */
export function dynamoClient(): DynamoDBDocumentClient {
  shared ??= newDynamoClient();
  return shared;
}

/** @param config for a test's own database; otherwise the environment says where DynamoDB is. */
export function newDynamoClient(config: DynamoDBClientConfig = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    // The SDK's retries of a transaction repeat its client token: they cannot charge twice.
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
    ...config,
  });
  return DynamoDBDocumentClient.from(withoutCallLog(countThrottles(client)), {
    marshallOptions: { removeUndefinedValues: true },
  });
}
