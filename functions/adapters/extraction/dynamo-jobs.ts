import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  paginateQuery,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type {
  BatchImage,
  BatchJob,
  ImageId,
  ImageLease,
  ImageOutcome,
  JobHead,
} from '../../extraction/domain/batch/job.ts';
import type { Jobs, NewJob, OpenJob, TakeOutcome } from '../../extraction/domain/batch/job-ports.ts';
import type { Claim } from '../../shared/idempotency/idempotency-store.ts';
import type { Backoff } from '../../shared/ports/backoff.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import {
  ABSENT,
  epochSeconds,
  jobImageKey,
  jobKey,
  OPEN_JOBS_PARTITION,
  openJobKey,
  PRESENT,
} from '../dynamodb/keys.ts';
import { type TransactItem, transact, type Writes } from '../dynamodb/transactions.ts';
import { completionIn, type DynamoIdempotency } from '../shared/dynamo-idempotency.ts';

/** As many as one BatchWriteItem takes. */
const WRITES_A_CALL = 25;
const NAMES = { '#status': 'status', '#owner': 'owner' } as const;
const NOBODY = '(#status = :queued OR (#status = :processing AND leaseUntilMs <= :nowMs))';

export interface DynamoJobsPorts {
  readonly clock: Clock;
  readonly backoff: Backoff;
}

/**
 * Jobs in the table of extractions. A job's counters are counted from its images, which a poll gets with one query: there is
 * nothing that all its workers write to. A hundred images are 100 KB, with the longest addresses 500: one page of a query.
 */
export class DynamoJobs implements Jobs {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #idempotency: DynamoIdempotency | null;
  readonly #ports: DynamoJobsPorts;

  /** @param idempotency null for those who create no jobs. */
  constructor(
    client: DynamoDBDocumentClient,
    table: string,
    idempotency: DynamoIdempotency | null,
    ports: DynamoJobsPorts,
  ) {
    this.#client = client;
    this.#table = table;
    this.#idempotency = idempotency;
    this.#ports = ports;
  }

  async create(
    { head, places, queuedAtMs }: NewJob,
    completion: { readonly claim: Claim; readonly response: string } | null,
  ): Promise<boolean> {
    const expiresAt = epochSeconds(Date.parse(head.expiresAt));
    const { workspaceId, jobId } = head;
    const images = places.map((place, index) => {
      const image: BatchImage = {
        workspaceId,
        jobId,
        index,
        place,
        status: 'queued',
        attempts: 0,
        leaseUntilMs: 0,
        queuedAtMs,
        requeues: 0,
        outcome: null,
      };
      return { ...jobImageKey(workspaceId, jobId, index), ...image, templateId: head.templateId, expiresAt };
    });
    // More than a transaction takes. Without their head they are nothing, and expire.
    const calls = Math.ceil(images.length / WRITES_A_CALL);
    await Promise.all(
      Array.from({ length: calls }, (_, i) => this.#putAll(images.slice(i * WRITES_A_CALL, (i + 1) * WRITES_A_CALL))),
    );
    const put = (Item: Record<string, unknown>): TransactItem => ({
      Put: { TableName: this.#table, Item, ConditionExpression: ABSENT },
    });
    const writes: Writes<'head' | 'open' | 'claim'> = [
      ['head', put({ ...jobKey(workspaceId, jobId), ...head, expiresAt })],
      ['open', put({ ...openJobKey(jobId), workspaceId, jobId, isSent: false, expiresAt })],
      ...(completion
        ? [['claim', completionIn(this.#idempotency, completion, Date.parse(head.createdAt))] as const]
        : []),
    ];
    const cancelled = await transact(this.#client, writes);
    if (cancelled === null) return true;
    if (cancelled.failed('claim')) return false;
    throw new Error(`Job ${jobId} could not be stored.`);
  }

  async #putAll(items: readonly Record<string, unknown>[]): Promise<void> {
    let left = items.map((Item) => ({ PutRequest: { Item } }));
    for (let attempt = 1; left.length > 0; attempt++) {
      const { UnprocessedItems } = await this.#client.send(
        new BatchWriteCommand({ RequestItems: { [this.#table]: left } }),
      );
      left = (UnprocessedItems?.[this.#table] ?? []) as typeof left;
      if (left.length > 0) await this.#ports.backoff.wait(attempt);
    }
  }

  async find(workspaceId: string, jobId: string): Promise<BatchJob | null> {
    // What is no id cannot be a key either: DynamoDB refuses keys of more than a kilobyte.
    if (!/^job_[0-9A-Z]{26}$/.test(jobId)) return null;
    const { pk, sk } = jobKey(workspaceId, jobId);
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
        ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
        ConsistentRead: true,
      },
    );
    let head: JobHead | undefined;
    const images: BatchImage[] = [];
    for await (const { Items = [] } of pages)
      for (const item of Items)
        if (item.sk === sk) head = headOf(item);
        else images.push(imageOf(item));
    if (head === undefined || Date.parse(head.expiresAt) <= this.#ports.clock.now()) return null;
    return { head, images };
  }

  async take({ owner, ...id }: ImageLease, nowMs: number, leaseUntilMs: number): Promise<TakeOutcome> {
    try {
      const { Attributes } = await this.#client.send(
        new UpdateCommand({
          ...this.#imageOf(id),
          UpdateExpression:
            'SET #status = :processing, #owner = :owner, leaseUntilMs = :leaseUntilMs, attempts = attempts + :one',
          // `#owner = :owner`: the SDK repeats an update whose answer was lost, and must not find itself in the way.
          ConditionExpression: `${NOBODY} OR (#status = :processing AND #owner = :owner)`,
          ExpressionAttributeNames: NAMES,
          ExpressionAttributeValues: {
            ':queued': 'queued',
            ':processing': 'processing',
            ':nowMs': nowMs,
            ':owner': owner,
            ':leaseUntilMs': leaseUntilMs,
            ':one': 1,
          },
          ReturnValues: 'ALL_NEW',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return { kind: 'taken', image: imageOf(Attributes!), templateId: String(Attributes!.templateId) };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      if (error.Item === undefined) return { kind: 'absent' };
      return { kind: imageOf(unmarshall(error.Item)).outcome === null ? 'busy' : 'finished' };
    }
  }

  async giveBack({ owner, ...id }: ImageLease): Promise<void> {
    await this.#update(id, {
      UpdateExpression: 'SET #status = :queued, leaseUntilMs = :zero, attempts = attempts - :one REMOVE #owner',
      ConditionExpression: '#status = :processing AND #owner = :owner',
      ExpressionAttributeValues: {
        ':queued': 'queued',
        ':processing': 'processing',
        ':zero': 0,
        ':one': 1,
        ':owner': owner,
      },
    });
  }

  fail({ owner, ...id }: ImageLease, outcome: ImageOutcome): Promise<boolean> {
    return this.#update(id, {
      ...ENDING,
      ConditionExpression: '#status = :processing AND #owner = :owner',
      ExpressionAttributeValues: { ...endingValues(outcome), ':processing': 'processing', ':owner': owner },
    });
  }

  abandon(id: ImageId, nowMs: number, outcome: ImageOutcome): Promise<boolean> {
    return this.#update(id, {
      ...ENDING,
      ConditionExpression: NOBODY,
      ExpressionAttributeValues: {
        ...endingValues(outcome),
        ':queued': 'queued',
        ':processing': 'processing',
        ':nowMs': nowMs,
      },
    });
  }

  requeue(seen: BatchImage, nowMs: number): Promise<boolean> {
    return this.#update(seen, {
      UpdateExpression:
        'SET #status = :queued, leaseUntilMs = :zero, queuedAtMs = :nowMs, requeues = :after REMOVE #owner',
      ConditionExpression: '#status = :seen AND leaseUntilMs = :seenLease AND requeues = :before',
      ExpressionAttributeValues: {
        ':queued': 'queued',
        ':zero': 0,
        ':nowMs': nowMs,
        ':seen': seen.status,
        ':seenLease': seen.leaseUntilMs,
        ':before': seen.requeues,
        ':after': seen.requeues + 1,
      },
    });
  }

  async noteSent({ jobId }: Pick<JobHead, 'jobId'>): Promise<void> {
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: openJobKey(jobId),
          UpdateExpression: 'SET isSent = :true',
          // A job that is finished and off the list stays off it.
          ConditionExpression: PRESENT,
          ExpressionAttributeValues: { ':true': true },
        }),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }

  async *open(): AsyncGenerator<OpenJob> {
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        KeyConditionExpression: 'pk = :open',
        ExpressionAttributeValues: { ':open': OPEN_JOBS_PARTITION },
        ConsistentRead: true,
      },
    );
    for await (const { Items = [] } of pages)
      for (const { workspaceId, jobId, isSent } of Items as OpenJob[]) yield { workspaceId, jobId, isSent };
  }

  async close({ jobId }: Pick<JobHead, 'jobId'>): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: openJobKey(jobId) }));
  }

  /** @returns false when the condition does not hold. */
  async #update(
    id: ImageId,
    update: Pick<UpdateCommandInput, 'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues'>,
  ): Promise<boolean> {
    try {
      await this.#client.send(
        new UpdateCommand({ ...this.#imageOf(id), ...update, ExpressionAttributeNames: namesIn(update) }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  #imageOf({ workspaceId, jobId, index }: ImageId) {
    return { TableName: this.#table, Key: jobImageKey(workspaceId, jobId, index) };
  }
}

const ENDING = { UpdateExpression: 'SET #status = :ended, outcome = :outcome, leaseUntilMs = :zero REMOVE #owner' };

function endingValues(outcome: ImageOutcome) {
  return { ':ended': outcome.kind, ':outcome': outcome, ':zero': 0 };
}

/** The part of a paying transaction that ends an image: it fails when the image is no longer its owner's. */
export function imageCompletion(
  table: string,
  { owner, workspaceId, jobId, index }: ImageLease,
  outcome: ImageOutcome,
): TransactItem {
  return {
    Update: {
      TableName: table,
      Key: jobImageKey(workspaceId, jobId, index),
      ...ENDING,
      ConditionExpression: '#status = :processing AND #owner = :owner',
      ExpressionAttributeNames: NAMES,
      ExpressionAttributeValues: { ...endingValues(outcome), ':processing': 'processing', ':owner': owner },
    },
  };
}

/** DynamoDB refuses names that no expression uses. */
function namesIn({ UpdateExpression = '', ConditionExpression = '' }: Partial<UpdateCommandInput>) {
  const text = UpdateExpression + ConditionExpression;
  return Object.fromEntries(Object.entries(NAMES).filter(([name]) => text.includes(name)));
}

function headOf(item: Record<string, unknown>): JobHead {
  const { jobId, workspaceId, templateId, total, createdAt, expiresAt } = item as unknown as JobHead & {
    readonly expiresAt: number;
  };
  return {
    jobId,
    workspaceId,
    templateId,
    total,
    createdAt,
    expiresAt: new Date(Number(expiresAt) * 1000).toISOString(),
  };
}

function imageOf(item: Record<string, unknown>): BatchImage {
  const { workspaceId, jobId, index, place, status, attempts, leaseUntilMs, queuedAtMs, requeues, outcome } =
    item as unknown as BatchImage;
  return { workspaceId, jobId, index, place, status, attempts, leaseUntilMs, queuedAtMs, requeues, outcome };
}
