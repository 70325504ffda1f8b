/**
 * Tables, buckets and queues of the service, as plain data: their ids, their settings, and the variable that carries the
 * generated name (a queue's: its URL) to a function. The CDK app, the embedded servers, the checked environment and the
 * tests are all made from this file; an entry here is all that a new resource needs.
 */
export interface TableDefinition {
  readonly environment: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Attribute with the time of expiry in epoch seconds. DynamoDB deletes late: readers treat expired items as absent. */
  readonly timeToLiveAttribute: string;
  /** True when a function on AWS gets the keys of changed items as a stream; locally it polls. */
  readonly isStreamed?: boolean;
}

export interface BucketDefinition {
  readonly environment: string;
  /** Days after which objects are deleted; absent: never. */
  readonly expiryDays?: number;
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
const KEYED = { partitionKey: 'pk', sortKey: 'sk', timeToLiveAttribute: 'expiresAt' } as const;

export const tables = {
  accounts: table('ACCOUNTS_TABLE', { isStreamed: true }),
  // Chat applications with their access tokens.
  applications: table('APPLICATIONS_TABLE'),
  // Channels with their undelivered messages, dead letters and circuit breakers.
  channels: table('CHANNELS_TABLE'),
  // Chat histories.
  conversations: table('CONVERSATIONS_TABLE'),
  executions: table('EXECUTIONS_TABLE'),
  extractions: table('EXTRACTIONS_TABLE'),
  idempotency: table('IDEMPOTENCY_TABLE'),
  // Knowledge bases with their documents, and what their indexes are made of.
  knowledge: table('KNOWLEDGE_TABLE'),
  limits: table('LIMITS_TABLE'),
  // Runs of workflows with their records.
  runs: table('RUNS_TABLE'),
  // Calls, pages, tokens and seconds, counted by day.
  usage: table('USAGE_TABLE'),
  // Of a hosted pool; locally the runners are processes of the service.
  runners: table('RUNNERS_TABLE'),
  // Workflows with their versions.
  workflows: table('WORKFLOWS_TABLE'),
};
export type TableId = keyof typeof tables;

export const buckets = {
  // Drug lists of workspaces' own, one each.
  formularies: bucket('FORMULARIES_BUCKET', {}),
  // Programs and outputs too large for a table, kept for 24 hours after the end; S3 counts whole days.
  executions: bucket('EXECUTIONS_BUCKET', { expiryDays: 2 }),
  // Archives of whole workspaces, for their owners to fetch.
  exports: bucket('EXPORTS_BUCKET', { expiryDays: 3 }),
  // Segments of the indexes of knowledge bases, for as long as their documents are there.
  knowledge: bucket('KNOWLEDGE_BUCKET', {}),
  // Large values of runs, encrypted with keys in their records: without its record a value is unreadable, however long its object stays.
  runs: bucket('RUNS_BUCKET', { expiryDays: 41 }),
  // Files that knowledge bases read by themselves: operators and their customers put them there.
  sources: bucket('SOURCES_BUCKET', {}),
  uploads: bucket('UPLOADS_BUCKET', { expiryDays: 7 }),
};
export type BucketId = keyof typeof buckets;

/** Key of the imported drug master in its bucket on AWS, and of the shipped list that holds until one is imported. */
export const MASTER_OBJECT = 'drug-master.tsv.gz';
export const SHIPPED_OBJECT = 'shipped/drug-master.tsv.gz';

/** Messages of these queues name a conversation; its pending work is in the table. */
const CHANNEL_QUEUE = {
  visibilityTimeoutSeconds: 2 * 60,
  retentionSeconds: 4 * DAY_SECONDS,
  maxReceiveCount: 8,
  deadLetterRetentionSeconds: 14 * DAY_SECONDS,
} as const;

export const queues = {
  'batch-images': queue('BATCH_IMAGES_QUEUE_URL', {
    visibilityTimeoutSeconds: 6 * 60,
    retentionSeconds: 4 * DAY_SECONDS,
    // A passing failure comes again after ten seconds at first: these are about twenty minutes.
    maxReceiveCount: 10,
    deadLetterRetentionSeconds: 14 * DAY_SECONDS,
  }),
  executions: queue('EXECUTIONS_QUEUE_URL', {
    visibilityTimeoutSeconds: 6 * 60,
    retentionSeconds: DAY_SECONDS,
    // One that finds no free runner comes again after seconds: these are several minutes.
    maxReceiveCount: 60,
    deadLetterRetentionSeconds: 14 * DAY_SECONDS,
  }),
  knowledge: queue('KNOWLEDGE_QUEUE_URL', {
    visibilityTimeoutSeconds: 6 * 60,
    retentionSeconds: 4 * DAY_SECONDS,
    maxReceiveCount: 10,
    deadLetterRetentionSeconds: 14 * DAY_SECONDS,
  }),
  // Workspaces with sources of knowledge to read.
  crawls: queue('CRAWLS_QUEUE_URL', {
    visibilityTimeoutSeconds: 4 * 60,
    retentionSeconds: DAY_SECONDS,
    maxReceiveCount: 5,
    deadLetterRetentionSeconds: 14 * DAY_SECONDS,
  }),
  // Conversations that wait for an answer of their application; model calls take minutes.
  'channel-inbound': queue('CHANNEL_INBOUND_QUEUE_URL', { ...CHANNEL_QUEUE, visibilityTimeoutSeconds: 6 * 60 }),
  // Conversations with replies to deliver, by the priority of these.
  'deliveries-high': queue('DELIVERIES_HIGH_QUEUE_URL', CHANNEL_QUEUE),
  'deliveries-normal': queue('DELIVERIES_NORMAL_QUEUE_URL', CHANNEL_QUEUE),
  'deliveries-low': queue('DELIVERIES_LOW_QUEUE_URL', CHANNEL_QUEUE),
  // Workflow runs to resume.
  runs: queue('RUNS_QUEUE_URL', {
    visibilityTimeoutSeconds: 16 * 60,
    retentionSeconds: 4 * DAY_SECONDS,
    maxReceiveCount: 20,
    deadLetterRetentionSeconds: 14 * DAY_SECONDS,
  }),
};

export type QueueId = keyof typeof queues;

/** A queue's dead-letter queue is named after it. */
export function deadLetterName(queueName: string): string {
  return `${queueName}-dead-letters`;
}

/** The variable's name is kept as a literal: the checked environment has a setting for each. */
type Named<Definition, Variable extends string> = Definition & { readonly environment: Variable };

function table<const V extends string>(
  environment: V,
  options: Partial<Pick<TableDefinition, 'isStreamed'>> = {},
): Named<TableDefinition, V> {
  return { environment, ...KEYED, ...options };
}

function bucket<const V extends string>(
  environment: V,
  options: Omit<BucketDefinition, 'environment'>,
): Named<BucketDefinition, V> {
  return { environment, ...options };
}

function queue<const V extends string>(
  environment: V,
  options: Omit<QueueDefinition, 'environment'>,
): Named<QueueDefinition, V> {
  return { environment, ...options };
}
