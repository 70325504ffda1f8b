import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, HeadBucketCommand, type S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, GetQueueAttributesCommand, GetQueueUrlCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { QueueDefinition, TableDefinition } from '../../functions/shared/resources.ts';

const TABLE_WAIT_SECONDS = 60;

/** Makes a table unless it exists, and has the store delete its expired items. */
export async function provisionTable(
  client: DynamoDBClient,
  TableName: string,
  { partitionKey, sortKey, timeToLiveAttribute }: TableDefinition,
): Promise<void> {
  const exists = await found(client.send(new DescribeTableCommand({ TableName })), 'ResourceNotFoundException');
  if (!exists)
    await client.send(
      new CreateTableCommand({
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
      }),
    );
  await waitUntilTableExists({ client, maxWaitTime: TABLE_WAIT_SECONDS, minDelay: 1, maxDelay: 1 }, { TableName });
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (TimeToLiveDescription?.TimeToLiveStatus !== 'ENABLED')
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName,
        TimeToLiveSpecification: { AttributeName: timeToLiveAttribute, Enabled: true },
      }),
    );
}

export async function provisionBucket(client: S3Client, Bucket: string): Promise<void> {
  if (await found(client.send(new HeadBucketCommand({ Bucket })), 'NotFound', 'NoSuchBucket')) return;
  await client.send(new CreateBucketCommand({ Bucket }));
}

export interface QueueAddresses {
  readonly url: string;
  readonly deadLettersUrl: string;
}

/** Makes a queue with its dead-letter queue unless they exist. */
export async function provisionQueue(
  client: SQSClient,
  name: string,
  deadLetterName: string,
  definition: QueueDefinition,
): Promise<QueueAddresses> {
  const deadLettersUrl = await queueUrl(client, deadLetterName, {
    VisibilityTimeout: definition.visibilityTimeoutSeconds,
    MessageRetentionPeriod: definition.deadLetterRetentionSeconds,
  });
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: deadLettersUrl, AttributeNames: ['QueueArn'] }),
  );
  const url = await queueUrl(client, name, {
    VisibilityTimeout: definition.visibilityTimeoutSeconds,
    MessageRetentionPeriod: definition.retentionSeconds,
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: Attributes?.QueueArn,
      maxReceiveCount: definition.maxReceiveCount,
    }),
  });
  return { url, deadLettersUrl };
}

async function queueUrl(
  client: SQSClient,
  QueueName: string,
  attributes: Readonly<Record<string, string | number>>,
): Promise<string> {
  try {
    return (await client.send(new GetQueueUrlCommand({ QueueName }))).QueueUrl!;
  } catch (error) {
    if (!/NonExistentQueue|QueueDoesNotExist/.test((error as Error).name)) throw error;
  }
  const Attributes = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)]));
  return (await client.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl!;
}

/** False where the call failed with one of these errors. */
async function found(call: Promise<unknown>, ...missing: readonly string[]): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (missing.includes((error as Error).name)) return false;
    throw error;
  }
}
