import type { QueueId, TableId } from './http/route.ts';

/**
 * What the service stores and queues, as plain data: the CDK stack creates it on AWS and the local service creates it
 * in the embedded servers, both from this file. `environment` is the variable that tells a function the resource's
 * name (a queue's: its URL), since names on AWS are generated.
 */
export interface TableDefinition {
  readonly environment: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Attribute with the time of expiry in epoch seconds. DynamoDB deletes late: readers treat expired items as absent. */
  readonly timeToLiveAttribute: string;
  /** True when a function on AWS hears of changes: of the keys of what changed. Locally it looks by itself. */
  readonly isStreamed?: boolean;
}

export interface BucketDefinition {
  readonly environment: string;
  /** Objects are deleted after so many days. */
  readonly expiryDays: number;
}

export interface QueueDefinition {
  readonly environment: string;
  /** Longer than a consumer may take for one batch, or the message is delivered a second time meanwhile. */
  readonly visibilityTimeoutSeconds: number;
  readonly retentionSeconds: number;
  /** Deliveries after which a message moves to the dead-letter queue. */
  readonly maxReceiveCount: number;
  readonly deadLetterRetentionSeconds: number;
}

const DAY_SECONDS = 24 * 60 * 60;

/** One shape for every table: generic key names leave room for several kinds of item in one table. */
const keyed = { partitionKey: 'pk', sortKey: 'sk', timeToLiveAttribute: 'expiresAt' } as const;

export const tables: Readonly<Record<TableId, TableDefinition>> = {
  accounts: { environment: 'ACCOUNTS_TABLE', ...keyed, isStreamed: true },
  executions: { environment: 'EXECUTIONS_TABLE', ...keyed },
  extractions: { environment: 'EXTRACTIONS_TABLE', ...keyed },
  idempotency: { environment: 'IDEMPOTENCY_TABLE', ...keyed },
  limits: { environment: 'LIMITS_TABLE', ...keyed },
  // Of a hosted pool; locally the runners are processes of the service.
  runners: { environment: 'RUNNERS_TABLE', ...keyed },
};

export type BucketId = 'executions' | 'uploads';

export const buckets: Readonly<Record<BucketId, BucketDefinition>> = {
  // Programs and outputs too large for a table. S3 counts whole days, and what ends late is to be had for 24 hours more.
  executions: { environment: 'EXECUTIONS_BUCKET', expiryDays: 2 },
  uploads: { environment: 'UPLOADS_BUCKET', expiryDays: 7 },
};

/** Key of the drug master in its bucket on AWS, and of the sample that stands in until one is imported. */
export const MASTER_OBJECT = 'drug-master.tsv.gz';
export const SAMPLE_OBJECT = 'sample.csv';

export const queues: Readonly<Record<QueueId, QueueDefinition>> = {
  'batch-images': {
    environment: 'BATCH_IMAGES_QUEUE_URL',
    visibilityTimeoutSeconds: 6 * 60,
    retentionSeconds: 4 * DAY_SECONDS,
    // A passing failure comes again after ten seconds at first: these are about twenty minutes.
    maxReceiveCount: 10,
    deadLetterRetentionSeconds: 14 * DAY_SECONDS,
  },
  executions: {
    environment: 'EXECUTIONS_QUEUE_URL',
    visibilityTimeoutSeconds: 6 * 60,
    retentionSeconds: DAY_SECONDS,
    // One that finds no free runner comes again after seconds: these are several minutes.
    maxReceiveCount: 60,
    deadLetterRetentionSeconds: 14 * DAY_SECONDS,
  },
};

/** A queue's dead-letter queue is named after it. */
export function deadLetterName(queueName: string): string {
  return `${queueName}-dead-letters`;
}
