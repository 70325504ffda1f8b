import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { TABLE_THROTTLES } from '../../shared/metric-names.ts';
import { countMetric } from '../shared/count-metric.ts';

const THROTTLES: readonly string[] = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
];

/** Counts every attempt that DynamoDB throttles, also where a later one succeeds: CloudWatch would charge two metrics a table for it. */
export function countThrottles(client: DynamoDBClient, count: () => Promise<void> = countThrottle): DynamoDBClient {
  client.middlewareStack.add(
    (next) => async (input) => {
      try {
        return await next(input);
      } catch (error) {
        if (THROTTLES.includes((error as Error).name)) await count();
        throw error;
      }
    },
    // Behind the repetitions of the SDK.
    { step: 'finalizeRequest', priority: 'low', name: 'countThrottles' },
  );
  return client;
}

const countThrottle = () => countMetric(TABLE_THROTTLES);
