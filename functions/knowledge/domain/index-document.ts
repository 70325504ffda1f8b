import type { DataSettingsStore } from '../../accounts/domain/data-settings.ts';
import type { Verdict } from '../../shared/leases/lease.ts';
import { LeaseLost } from '../../shared/leases/lease.ts';
import { runLeased } from '../../shared/leases/run-leased.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { hashOf } from './document-content.ts';
import { EmbeddingFailed, type Embeddings, joined, vectorModel } from './embeddings.ts';
import {
  type BaseId,
  type DocumentFailure,
  type DocumentId,
  DocumentUnreadable,
  type EmbeddingConfig,
  indexIdOf,
  type KnowledgeDocument,
  MAX_PASSAGES,
} from './knowledge-base.ts';
import type {
  DocumentLease,
  DocumentLeases,
  KnowledgeBases,
  KnowledgeUploads,
  SegmentMaker,
  SegmentObjects,
} from './knowledge-ports.ts';
import { Segment, withVectors } from './segment.ts';

export interface IndexPorts {
  readonly leases: DocumentLeases;
  readonly uploads: Pick<KnowledgeUploads, 'get' | 'remove'>;
  readonly dataSettings: DataSettingsStore;
  readonly maker: Pick<SegmentMaker, 'read'>;
  readonly objects: SegmentObjects;
  readonly bases: Pick<KnowledgeBases, 'find'>;
  readonly embeddings: Embeddings;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly maxBytes: number;
  /** Called when a document is failed because its workers crashed too many times. */
  readonly onGivenUp: (document: DocumentId) => Promise<void>;
}

/** After this number of runs that never ended, by time-outs or lack of memory, the document itself crashes its workers. */
const MAX_ATTEMPTS = 4;

/**
 * Indexes one document, for one delivery of its message. Its segment is stored first, under a note by which it is removed
 * when nothing comes of it; one transaction then makes the document ready and the segment part of the index, on the
 * condition that this run still holds the lease. A document that was removed meanwhile stays removed.
 * @param deadlineMs epoch time at which this run ends for certain; its lease expires then.
 * @throws an error that another delivery may get over; the document is then free for it.
 */
export async function indexDocument(id: DocumentId, deadlineMs: number, ports: IndexPorts): Promise<Verdict> {
  const { leases, ids, clock } = ports;
  const lease: DocumentLease = { ...id, fence: ids.next('run') };
  const finishedAt = () => new Date(clock.now()).toISOString();
  return runLeased<KnowledgeDocument, DocumentFailure>({
    acquire: () => leases.acquire(lease, clock.now(), deadlineMs),
    async run(document) {
      if (document.attempts > MAX_ATTEMPTS) {
        if (await leases.fail(lease, GIVEN_UP, finishedAt())) await ports.onGivenUp(id);
        return { kind: 'recorded' };
      }
      const failure = await readAndStore(lease, document, { finishedAt, deadlineMs }, ports);
      return failure === null ? { kind: 'recorded' } : { kind: 'ended', ending: failure };
    },
    endingOf(error) {
      if (error instanceof DocumentUnreadable) return { code: error.code, message: error.message };
      const isFinal = error instanceof EmbeddingFailed && !error.isPassing;
      return isFinal ? { code: 'embedding_failed', message: error.message } : null;
    },
    end: (failure) => leases.fail(lease, failure, finishedAt()),
    release: () => leases.release(lease),
  });
}

/** @returns null when the document is ready. @throws LeaseLost */
async function readAndStore(
  lease: DocumentLease,
  document: KnowledgeDocument,
  { finishedAt, deadlineMs }: { readonly finishedAt: () => string; readonly deadlineMs: number },
  ports: IndexPorts,
): Promise<DocumentFailure | null> {
  const { leases, uploads, maker, objects, clock, ids, maxBytes } = ports;
  const { uploadKey, type, title, version } = document;
  const [bytes, base, settings] = await Promise.all([
    uploads.get(uploadKey, maxBytes),
    ports.bases.find(lease),
    ports.dataSettings.dataSettings(lease.workspaceId),
  ]);
  const isMasked = settings.maskResidentNumbers;
  const {
    segment: read,
    passages,
    pages,
    pagesWithoutText,
  } = await maker.read(
    bytes,
    type,
    { documentId: indexIdOf(lease, version), title },
    { tenant: lease.workspaceId, isMasked },
  );
  const { embedding } = base ?? {};
  const segment = embedding ? await embedded(read, lease, embedding, deadlineMs, ports) : read;
  const segmentId = ids.next('seg');
  if (!(await leases.noteSegment(lease, segmentId, clock.now()))) throw new LeaseLost();
  await objects.put(lease, segmentId, segment);
  const contentHash = hashOf(bytes);
  const indexed = {
    segmentId,
    segmentBytes: segment.byteLength,
    passages,
    pages,
    pagesWithoutText,
    contentHash,
    finishedAt: finishedAt(),
  };
  const outcome = await leases.complete(lease, document, indexed);
  if (outcome === 'lost') throw new LeaseLost();
  // The original would show what the index masks.
  if (isMasked) await uploads.remove(uploadKey);
  if (outcome === 'base_full') return BASE_FULL;
  return null;
}

/** Part of a function's time that is reserved for storing results. */
const RESERVE_MS = 10_000;
/** Longer than any function lives. */
const MAX_EMBEDDING_MS = 15 * 60_000;

/** A segment with vectors of its passages. @throws EmbeddingFailed */
async function embedded(
  bytes: Uint8Array,
  { workspaceId, baseId }: BaseId,
  config: EmbeddingConfig,
  deadlineMs: number,
  { embeddings, clock }: IndexPorts,
): Promise<Uint8Array> {
  const segment = new Segment(bytes);
  const texts = Array.from({ length: segment.passageCount }, (_, index) => {
    const { heading, text } = segment.passage(index);
    return [segment.documentOf(index).title, ...heading, text].join('\n');
  });
  const signal = AbortSignal.timeout(Math.min(MAX_EMBEDDING_MS, Math.max(0, deadlineMs - clock.now() - RESERVE_MS)));
  try {
    const vectors = await embeddings.embed({ base: { workspaceId, baseId }, config }, texts, 'passage', signal);
    return withVectors(bytes, joined(vectorModel(config), vectors));
  } catch (error) {
    if (!signal.aborted) throw error;
    const message = `The embedding model does not make vectors of the document's ${texts.length} passages in time. Split the document, or use a quicker model.`;
    throw new EmbeddingFailed(message, { isPassing: false, cause: error });
  }
}

export const GIVEN_UP: DocumentFailure = {
  code: 'processing_failed',
  message:
    'The document could not be indexed, though it was tried several times. Add it again, or split it into smaller ones.',
};

const BASE_FULL: DocumentFailure = {
  code: 'base_full',
  message: `With this document the knowledge base would have more than ${MAX_PASSAGES} passages. Remove documents, or add it to another base.`,
};
