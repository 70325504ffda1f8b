import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  type DocumentFailure,
  type DocumentId,
  indexIdOf,
  type KnowledgeDocument,
  MAX_PASSAGES,
} from '../../knowledge/domain/knowledge-base.ts';
import type { DocumentLease, DocumentLeases, IndexedDocument } from '../../knowledge/domain/knowledge-ports.ts';
import type { Acquisition } from '../../shared/leases/run-leased.ts';
import { and, atMost, type Change, type Condition, equal } from '../dynamodb/expressions.ts';
import { FENCE, leases } from '../dynamodb/leases.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { transactOrRetry } from '../dynamodb/transactions.ts';
import type { DynamoKnowledgePorts } from './dynamo-knowledge-bases.ts';
import { baseKey, contentsKey, documentKey, documentOf, noteKey, removedPart, segmentKey } from './knowledge-items.ts';

const { held, free, acquire, release } = leases({ waiting: 'pending', leased: 'indexing' });

/** The leases on documents, in the items that DynamoKnowledgeDocuments stores. */
export class DynamoDocumentLeases implements DocumentLeases {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;
  readonly #ports: Pick<DynamoKnowledgePorts, 'backoff'>;

  constructor(client: DynamoDBDocumentClient, table: string, ports: Pick<DynamoKnowledgePorts, 'backoff'>) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
    this.#ports = ports;
  }

  async acquire(lease: DocumentLease, nowMs: number, leaseUntilMs: number): Promise<Acquisition<KnowledgeDocument>> {
    const outcome = await this.#table.updateItem(documentKey(lease), {
      ...acquire(lease.fence, leaseUntilMs, free(nowMs)),
      increment: { attempts: 1 },
    });
    if (outcome.written) return { kind: 'acquired', work: documentOf(outcome.item) };
    return { kind: outcome.item !== null && documentOf(outcome.item).finishedAt === null ? 'busy' : 'ended' };
  }

  async release(lease: DocumentLease): Promise<void> {
    await this.#table.update(documentKey(lease), { ...release(lease.fence), increment: { attempts: -1 } });
  }

  async noteSegment(lease: DocumentLease, segmentId: string, nowMs: number): Promise<boolean> {
    const cancelled = await transactOrRetry(
      this.#client,
      [
        ['document', this.#table.checkPart(documentKey(lease), held(lease.fence))],
        ['note', this.#table.putPart({ ...noteKey(lease, segmentId), segmentId, notedAtMs: nowMs })],
      ],
      this.#ports.backoff,
    );
    return cancelled === null;
  }

  async complete(
    lease: DocumentLease,
    { version, live }: Pick<KnowledgeDocument, 'version' | 'live'>,
    { segmentId, segmentBytes, passages, pages, pagesWithoutText, contentHash, finishedAt }: IndexedDocument,
  ): Promise<'completed' | 'lost' | 'base_full'> {
    const { workspaceId, baseId } = lease;
    const more = passages - (live?.passages ?? 0);
    const state = { status: 'ready', version, live: { version, passages }, contentHash, finishedAt };
    const cancelled = await transactOrRetry(
      this.#client,
      [
        [
          'document',
          this.#table.updatePart(documentKey(lease), {
            set: { ...state, passages, pages, pagesWithoutText, leaseUntilMs: 0 },
            remove: [FENCE],
            condition: held(lease.fence),
          }),
        ],
        [
          'base',
          this.#table.updatePart(baseKey(lease), {
            set: { workspaceId, baseId },
            increment: { passages: more },
            condition: atMost('passages', MAX_PASSAGES - more),
          }),
        ],
        ['segment', this.#table.putPart({ ...segmentKey(lease, segmentId), segmentId, bytes: segmentBytes, passages })],
        [
          'contents',
          this.#table.putPart({
            ...contentsKey(lease, segmentId),
            segmentId,
            documentIds: [indexIdOf(lease, version)],
          }),
        ],
        ...(live === null
          ? []
          : [['replaced', removedPart(this.#table, lease, live.version, Date.parse(finishedAt))] as const]),
        ['note', this.#table.deletePart(noteKey(lease, segmentId))],
      ],
      this.#ports.backoff,
    );
    if (cancelled === null) return 'completed';
    if (cancelled.failed('document')) return 'lost';
    return (await this.#table.get(baseKey(lease))) === null ? 'lost' : 'base_full';
  }

  fail(lease: DocumentLease, failure: DocumentFailure, finishedAt: string): Promise<boolean> {
    return this.#table.update(documentKey(lease), failed(failure, finishedAt, held(lease.fence)));
  }

  abandon(id: DocumentId, nowMs: number, failure: DocumentFailure): Promise<boolean> {
    return this.#table.update(documentKey(id), failed(failure, new Date(nowMs).toISOString(), free(nowMs)));
  }

  requeue(seen: KnowledgeDocument, nowMs: number): Promise<boolean> {
    const { status, leaseUntilMs, requeues } = seen;
    return this.#table.update(documentKey(seen), {
      set: { status: 'pending', leaseUntilMs: 0, queuedAtMs: nowMs, requeues: requeues + 1 },
      remove: [FENCE],
      condition: and(equal('status', status), equal('leaseUntilMs', leaseUntilMs), equal('requeues', requeues)),
    });
  }
}

const failed = (failure: DocumentFailure, finishedAt: string, condition: Condition): Change => ({
  set: { status: 'failed', failure, finishedAt, leaseUntilMs: 0 },
  remove: [FENCE],
  condition,
});
