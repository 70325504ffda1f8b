import { join } from 'node:path';
import { type BucketDefinition, buckets, deadLetterName, queues, tables } from '../../functions/shared/resources.ts';
import { NAME_PREFIX, named } from '../resource-names.ts';
import { type DynamoDatabase, openDynamoDatabase } from './dynamodb/database.ts';
import { serveDynamoDb } from './dynamodb/server.ts';
import { startS3 } from './s3.ts';
import type { KeyPair } from './signature-v4.ts';
import { startSqs } from './sqs/server.ts';
import { createTables } from './tables.ts';

const REGION = 'ap-northeast-2';
const DAY_MS = 24 * 60 * 60 * 1000;

/** Where the stores are, and with which key. */
export interface StoreAddresses {
  readonly key: KeyPair;
  /** Settings for the SDK and the functions: endpoints, credentials, region and the resources' names. */
  readonly environment: Readonly<Record<string, string>>;
  readonly queues: Readonly<Record<string, { readonly url: string; readonly deadLettersUrl: string }>>;
}

/** Calls to the stores outside AWS's own protocols. */
export interface StoreCalls {
  /** One operation of DynamoDB, past its server and its signatures. */
  execute(...call: Parameters<DynamoDatabase['execute']>): ReturnType<DynamoDatabase['execute']>;
  /** Makes the next `count` TransactWriteItems answer TransactionConflict, as a busy table on AWS does. For tests. */
  conflictNextTransactions(count: number): Promise<void>;
  /**
   * Removes what has expired by then: items by their table's attribute, tokens of transactions, objects by their bucket's days. About once an
   * hour the files are rewritten without the values of removed items.
   */
  removeExpired(nowMs: number): Promise<void>;
  stop(): Promise<void>;
}

export type Stores = StoreAddresses & StoreCalls;

/**
 * DynamoDB, S3 and SQS on 127.0.0.1, each on a free port, with everything stored under `dataDirectory` and every table, bucket
 * and queue of the service there. Throws `LEVEL_LOCKED` when another process has the directory open.
 */
export async function startStores(dataDirectory: string): Promise<Stores> {
  // First, because this is also the lock on the directory: nothing is touched when another process holds it.
  const dynamodb = await openDynamoDatabase(join(dataDirectory, 'dynamodb'));
  const tableNames = named(tables);
  const bucketNames = named(buckets);
  await createTables(dynamodb, tableNames);
  const s3 = await startS3(join(dataDirectory, 's3'), Object.values(bucketNames));
  const queueNames = Object.entries(queues).map(([id, definition]) => ({
    id,
    definition,
    name: `${NAME_PREFIX}-${id}`,
  }));
  const [dynamodbServer, sqs] = await Promise.all([
    serveDynamoDb(dynamodb, s3.key),
    startSqs(
      queueNames.map(({ name, definition }) => ({ ...definition, name, deadLetterName: deadLetterName(name) })),
      s3.key,
    ),
  ]);
  return {
    key: s3.key,
    queues: Object.fromEntries(
      queueNames.map(({ id, name }) => [id, { url: sqs.queueUrl(name), deadLettersUrl: sqs.deadLettersUrl(name) }]),
    ),
    environment: {
      AWS_REGION: REGION,
      // s3rver stores the checksum trailers that the SDK would append to a stream as if they were content.
      AWS_REQUEST_CHECKSUM_CALCULATION: 'WHEN_REQUIRED',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_ACCESS_KEY_ID: s3.key.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.key.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: dynamodbServer.url,
      AWS_ENDPOINT_URL_S3: s3.url,
      AWS_ENDPOINT_URL_SQS: sqs.url,
      ...tableNames,
      ...bucketNames,
      ...Object.fromEntries(queueNames.map(({ definition, name }) => [definition.environment, sqs.queueUrl(name)])),
    },
    execute: (operation, input) => dynamodb.execute(operation, input),
    async conflictNextTransactions(count) {
      dynamodb.conflictNextTransactions(count);
    },
    async removeExpired(nowMs) {
      for (const { environment, timeToLiveAttribute } of Object.values(tables))
        await dynamodb.removeExpired(tableNames[environment] ?? '', timeToLiveAttribute, nowMs);
      await dynamodb.pruneTokens(nowMs);
      for (const { environment, expiryDays } of Object.values<BucketDefinition>(buckets))
        if (expiryDays !== undefined)
          await s3.removeBefore(bucketNames[environment] ?? '', nowMs - expiryDays * DAY_MS);
      await dynamodb.compact(nowMs);
    },
    async stop() {
      await Promise.all([dynamodbServer.stop(), s3.stop(), sqs.stop()]);
      await dynamodb.close();
    },
  };
}
