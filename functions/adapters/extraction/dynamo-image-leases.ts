import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { BatchImage, ImagePlace } from '../../extraction/domain/batch/job.ts';
import type { AcquiredImage, ImageLeases } from '../../extraction/domain/batch/job-ports.ts';
import type { ImageId, ImageLease, ImageOutcome } from '../../extraction/domain/image-outcome.ts';
import type { Acquisition } from '../../shared/leases/run-leased.ts';
import { and, type Change, type Condition, equal } from '../dynamodb/expressions.ts';
import { jobImageKey } from '../dynamodb/keys.ts';
import { FENCE, leases } from '../dynamodb/leases.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import type { TransactItem } from '../dynamodb/transactions.ts';
import { imageOf } from './job-items.ts';

const { held, free, acquire, release } = leases({ waiting: 'queued', leased: 'processing' });

/** The leases on images of batches, in the items that DynamoJobs stores. */
export class DynamoImageLeases implements ImageLeases {
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#table = new DynamoTable(client, table);
  }

  async acquire(lease: ImageLease, nowMs: number, leaseUntilMs: number): Promise<Acquisition<AcquiredImage>> {
    const outcome = await this.#table.updateItem(keyOf(lease), {
      ...acquire(lease.fence, leaseUntilMs, free(nowMs)),
      increment: { attempts: 1 },
    });
    if (outcome.written) {
      const { item } = outcome;
      const { templateId, serviceDate = null, keyId = null } = item as unknown as AcquiredImage;
      return { kind: 'acquired', work: { image: imageOf(item), templateId, serviceDate, keyId } };
    }
    return { kind: outcome.item !== null && imageOf(outcome.item).outcome === null ? 'busy' : 'ended' };
  }

  async release(lease: ImageLease): Promise<void> {
    await this.#table.update(keyOf(lease), { ...release(lease.fence), increment: { attempts: -1 } });
  }

  end(lease: ImageLease, outcome: ImageOutcome): Promise<boolean> {
    return this.#table.update(keyOf(lease), ending(outcome, held(lease.fence)));
  }

  abandon(id: ImageId, nowMs: number, outcome: ImageOutcome): Promise<boolean> {
    return this.#table.update(keyOf(id), ending(outcome, free(nowMs)));
  }

  async cancel(image: ImageId): Promise<void> {
    await this.#table.delete(keyOf(image), equal('outcome', null));
  }

  async forget(image: ImageId): Promise<void> {
    const item = await this.#table.get(keyOf(image));
    const { outcome, place } = item === null ? { outcome: null, place: null } : imageOf(item);
    if (outcome?.kind !== 'completed') return;
    const { finishedAt, foundTable, cost } = outcome;
    const forgotten: ImageOutcome = { kind: 'deleted', finishedAt, foundTable, cost };
    // The number of an inline image is counted from the number of addresses.
    const emptied: ImagePlace = place?.kind === 'url' ? { kind: 'url', url: '' } : { kind: 'upload', key: '' };
    await this.#table.update(keyOf(image), { set: { outcome: forgotten, place: emptied }, remove: ['labels'] });
  }

  requeue(seen: BatchImage, nowMs: number): Promise<boolean> {
    const { status, leaseUntilMs, requeues } = seen;
    return this.#table.update(keyOf(seen), {
      set: { status: 'queued', leaseUntilMs: 0, queuedAtMs: nowMs, requeues: requeues + 1 },
      remove: [FENCE],
      condition: and(equal('status', status), equal('leaseUntilMs', leaseUntilMs), equal('requeues', requeues)),
    });
  }
}

/** The part of a paying transaction that ends an image: it fails when the lease is lost. */
export function imageCompletion(table: DynamoTable, lease: ImageLease, outcome: ImageOutcome): TransactItem {
  return table.updatePart(keyOf(lease), ending(outcome, held(lease.fence)));
}

const ending = (outcome: ImageOutcome, condition: Condition): Change => ({
  set: { status: outcome.kind, outcome, leaseUntilMs: 0 },
  remove: [FENCE],
  condition,
});

const keyOf = ({ workspaceId, jobId, index }: ImageId) => jobImageKey(workspaceId, jobId, index);
