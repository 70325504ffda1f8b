import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { BatchImage, BatchJob, JobHead } from '../../extraction/domain/batch/job.ts';
import type { Jobs, NewJob } from '../../extraction/domain/batch/job-ports.ts';
import type { Claim } from '../../shared/idempotency/idempotency-store.ts';
import type { Backoff } from '../../shared/ports/backoff.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { jobImageKey, jobKey, listedJobKey, openJobKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { transactOrRetry, type Writes } from '../dynamodb/transactions.ts';
import { completionIn, type DynamoIdempotency } from '../shared/dynamo-idempotency.ts';
import { headOf, imageOf, itemsOf } from './job-items.ts';

export interface DynamoJobsPorts {
  readonly clock: Clock;
  readonly backoff: Backoff;
}

/**
 * Jobs in the table of extractions. A job's counters are counted from its images, which a poll gets with one query: no item
 * is written by all of its workers. A hundred images are 100 KB, with the longest addresses 500: one page of a query.
 */
export class DynamoJobs implements Jobs {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;
  readonly #idempotency: DynamoIdempotency | null;
  readonly #ports: DynamoJobsPorts;

  /** @param idempotency null where no jobs are created. */
  constructor(
    client: DynamoDBDocumentClient,
    table: string,
    idempotency: DynamoIdempotency | null,
    ports: DynamoJobsPorts,
  ) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
    this.#idempotency = idempotency;
    this.#ports = ports;
  }

  async create(job: NewJob, completion: { readonly claim: Claim; readonly response: string } | null): Promise<boolean> {
    const { workspaceId, jobId, createdAt } = job.head;
    const { head, images, expiresAt } = itemsOf(job);
    // More than a transaction takes. Without their head they are not a job, and expire.
    await this.#table.putAll(images, this.#ports.backoff);
    const { total } = job.head;
    const writes: Writes<'head' | 'listed' | 'open' | 'claim'> = [
      ['head', this.#table.putPart(head)],
      // Apart from its images, which are between one head and the next.
      ['listed', this.#table.putPart({ ...listedJobKey(workspaceId, jobId), jobId, total, createdAt, expiresAt })],
      ['open', this.#table.putPart({ ...openJobKey(jobId), workspaceId, jobId, isSent: false, expiresAt })],
      ...(completion ? [['claim', completionIn(this.#idempotency, completion, Date.parse(createdAt))] as const] : []),
    ];
    const cancelled = await transactOrRetry(this.#client, writes, this.#ports.backoff);
    if (cancelled === null) return true;
    if (cancelled.failed('claim')) return false;
    throw new Error(`Job ${jobId} could not be stored.`);
  }

  async *ids(workspaceId: string): AsyncGenerator<string> {
    const { pk: partition, sk: prefix } = jobKey(workspaceId, '');
    for await (const { jobId, index } of this.#table.query<BatchImage>({ partition, prefix }))
      if (index === undefined) yield jobId;
  }

  async remove({ head: { workspaceId, jobId }, images }: BatchJob): Promise<void> {
    const keys = images.map(({ index }) => jobImageKey(workspaceId, jobId, index));
    await this.#table.deleteAll(keys, this.#ports.backoff);
    await this.#table.delete(listedJobKey(workspaceId, jobId));
    await this.#table.delete(jobKey(workspaceId, jobId));
  }

  async find(workspaceId: string, jobId: string): Promise<BatchJob | null> {
    // Other texts are not keys either: DynamoDB refuses keys of more than a kilobyte.
    if (!/^job_[0-9A-Z]{26}$/.test(jobId)) return null;
    const { pk: partition, sk: prefix } = jobKey(workspaceId, jobId);
    let head: JobHead | undefined;
    const images: BatchImage[] = [];
    for await (const item of this.#table.query({ partition, prefix }))
      if (item.sk === prefix) head = headOf(item);
      else images.push(imageOf(item));
    if (head === undefined || Date.parse(head.expiresAt) <= this.#ports.clock.now()) return null;
    return { head, images };
  }
}
