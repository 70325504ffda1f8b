import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type BucketDefinition, buckets, deadLetterName, queues, tables } from '../../functions/shared/resources.ts';
import { CannotStart } from '../cannot-start.ts';
import type { Stores } from '../embedded/stores.ts';
import { NAME_PREFIX, named } from '../resource-names.ts';
import type { ExternalStores } from '../settings.ts';
import { checkTransactions } from './check-transactions.ts';
import { lockDirectory } from './directory-lock.ts';
import { provisionBucket, provisionQueue, provisionTable } from './provision.ts';
import { removeOldObjects } from './remove-old-objects.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Stores that run outside this process, with every table, bucket and queue of the service made there. The data directory keeps the keys
 * and is locked: two services on the same stores would free each other's Idempotency-Keys at their start.
 * @throws DataDirectoryInUse; CannotStart with the store that failed.
 */
export async function openExternalStores(stores: ExternalStores, dataDirectory: string): Promise<Stores> {
  const unlock = lockDirectory(dataDirectory);
  const { region, accessKeyId, secretAccessKey } = stores;
  const config = { region, credentials: { accessKeyId, secretAccessKey } };
  const dynamodb = new DynamoDBClient({ ...config, endpoint: stores.dynamodb });
  const s3 = new S3Client({ ...config, endpoint: stores.s3, forcePathStyle: true });
  const sqs = new SQSClient({ ...config, endpoint: stores.sqs, useQueueUrlAsEndpoint: false });
  const tableNames = named(tables);
  const bucketNames = named(buckets);
  const provision = async () => {
    for (const { environment, ...table } of Object.values(tables))
      await at(stores.dynamodb, provisionTable(dynamodb, tableNames[environment]!, { environment, ...table }));
    await at(stores.dynamodb, checkTransactions(dynamodb, tableNames.LIMITS_TABLE!));
    for (const bucket of Object.values(bucketNames)) await at(stores.s3, provisionBucket(s3, bucket));
    const addresses = Object.entries(queues).map(async ([id, definition]) => {
      const name = `${NAME_PREFIX}-${id}`;
      const urls = await at(stores.sqs, provisionQueue(sqs, name, deadLetterName(name), definition));
      return { id, environment: definition.environment, ...urls };
    });
    return Promise.all(addresses);
  };
  const close = () => {
    for (const client of [dynamodb, s3, sqs]) client.destroy();
    unlock();
  };
  const queueAddresses = await provision().catch((error: unknown) => {
    close();
    throw error;
  });
  return {
    key: { accessKeyId, secretAccessKey },
    queues: Object.fromEntries(queueAddresses.map(({ id, url, deadLettersUrl }) => [id, { url, deadLettersUrl }])),
    environment: {
      AWS_REGION: region,
      AWS_REQUEST_CHECKSUM_CALCULATION: 'WHEN_REQUIRED',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: stores.dynamodb,
      AWS_ENDPOINT_URL_S3: stores.s3,
      AWS_ENDPOINT_URL_SQS: stores.sqs,
      ...tableNames,
      ...bucketNames,
      ...Object.fromEntries(queueAddresses.map(({ environment, url }) => [environment, url])),
    },
    execute: embeddedOnly,
    conflictNextTransactions: embeddedOnly,
    // The store deletes expired items by itself.
    async removeExpired(nowMs) {
      for (const { environment, expiryDays } of Object.values<BucketDefinition>(buckets))
        if (expiryDays !== undefined)
          await removeOldObjects(s3, bucketNames[environment]!, nowMs - expiryDays * DAY_MS);
    },
    async stop() {
      close();
    },
  };
}

const embeddedOnly = () => Promise.reject(new Error('Only the embedded stores can do this.'));

/** @throws CannotStart that names the store. */
async function at<T>(endpoint: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CannotStart) throw error;
    const { name, message } = error as Error;
    throw new CannotStart(`The store at ${endpoint} cannot be used (${name}: ${message}).`);
  }
}
