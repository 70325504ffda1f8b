import type { Acquisition } from '../../shared/leases/run-leased.ts';
import type { JobCaller } from '../../shared/ports/job-caller.ts';
import type {
  BaseId,
  DocumentFailure,
  DocumentId,
  DocumentType,
  EmbeddingConfig,
  KnowledgeBase,
  KnowledgeDocument,
} from './knowledge-base.ts';
import type { Segment, SegmentDocument } from './segment.ts';

/** Stored knowledge bases. Reads are strongly consistent. */
export interface KnowledgeBases {
  find(id: BaseId): Promise<KnowledgeBase | null>;
  /** Those of the ids that the workspace has. */
  findAll(workspaceId: string, baseIds: readonly string[]): Promise<KnowledgeBase[]>;
  /** In the order of creation, newest first. @param before only those older than the base of this id. */
  list(workspaceId: string, limit: number, before: string | null): Promise<KnowledgeBase[]>;
  create(base: KnowledgeBase): Promise<'created' | 'name_taken' | 'too_many'>;
  /** Stores another name or description. @returns 'changed' when it has other ones, or is gone, since it was read. */
  rename(
    seen: KnowledgeBase,
    next: Pick<KnowledgeBase, 'name' | 'description'>,
  ): Promise<'renamed' | 'name_taken' | 'changed'>;
  /**
   * From then on its documents give no answers; the rest is removed later.
   * @returns false if it is gone.
   */
  remove(base: KnowledgeBase): Promise<boolean>;
}

/** Documents of bases. Reads are strongly consistent. */
export interface KnowledgeDocuments {
  find(id: DocumentId): Promise<KnowledgeDocument | null>;
  /** Newest first. @param before only those older than the document of this id. */
  list(base: BaseId, limit: number, before: string | null): Promise<KnowledgeDocument[]>;
  /** Documents that are neither ready nor failed. */
  unfinished(base: BaseId): Promise<KnowledgeDocument[]>;
  findByExternalId(base: BaseId, externalId: string): Promise<KnowledgeDocument | null>;
  /** The document that was given this title last; null where it has gone, or has another one by now. */
  findByTitle(base: BaseId, title: string): Promise<KnowledgeDocument | null>;
  add(document: KnowledgeDocument): Promise<'added' | 'base_gone' | 'too_many' | 'external_id_taken'>;
  /** Has another version indexed; answers are given from the live one until then. @returns false when it has changed since it was read. */
  replace(seen: KnowledgeDocument, next: KnowledgeDocument): Promise<boolean>;
  /** It gives no answers from then on. @returns false when it has changed since it was read. */
  remove(seen: KnowledgeDocument): Promise<boolean>;
}

export type DocumentLease = DocumentId & {
  /** Fencing token, unique to the run. */
  readonly fence: string;
};

/** Everything that is recorded of an indexed document. */
export interface IndexedDocument {
  readonly segmentId: string;
  readonly segmentBytes: number;
  readonly passages: number;
  readonly pages: number | null;
  readonly pagesWithoutText: number | null;
  readonly contentHash: string;
  readonly finishedAt: string;
}

/** The leases on documents. Every change is one conditional write or transaction. */
export interface DocumentLeases {
  acquire(lease: DocumentLease, nowMs: number, leaseUntilMs: number): Promise<Acquisition<KnowledgeDocument>>;
  /** Does nothing when the lease is lost. */
  release(lease: DocumentLease): Promise<void>;
  /** Notes a segment that is about to be stored. @returns false when the lease is lost. */
  noteSegment(lease: DocumentLease, segmentId: string, nowMs: number): Promise<boolean>;
  /** Makes the document ready, and its segment part of the index in the place of the version before. */
  complete(
    lease: DocumentLease,
    document: Pick<KnowledgeDocument, 'version' | 'live'>,
    indexed: IndexedDocument,
  ): Promise<'completed' | 'lost' | 'base_full'>;
  /** @returns false when the lease is lost. */
  fail(lease: DocumentLease, failure: DocumentFailure, finishedAt: string): Promise<boolean>;
  /** Fails a document that no run holds. @returns false when it has ended, or a run holds it. */
  abandon(id: DocumentId, nowMs: number, failure: DocumentFailure): Promise<boolean>;
  /** Records that a document that no run holds is queued again. @returns false when it has changed since it was read. */
  requeue(seen: KnowledgeDocument, nowMs: number): Promise<boolean>;
}

export interface SegmentEntry {
  readonly segmentId: string;
  readonly bytes: number;
  readonly passages: number;
}

/** A base's index, as searches read it in one round trip. */
export interface IndexEntries {
  readonly embedding: EmbeddingConfig | null;
  readonly segments: readonly SegmentEntry[];
  /** Documents that are removed, and may still be in segments. */
  readonly removed: readonly { readonly documentId: string; readonly removedAtMs: number }[];
}

export interface KnowledgeIndexes {
  /** While segments are swapped it may name both those replaced and the one in their place, never neither. */
  /** @returns null when there is no such base. */
  read(base: BaseId): Promise<IndexEntries | null>;
}

/** Objects of segments that are not a part of an index, or not yet: written down before they are stored. */
export interface SegmentNote {
  readonly segmentId: string;
  readonly notedAtMs: number;
}

export interface CleaningState extends IndexEntries {
  /** Documents of each segment. */
  readonly contents: ReadonlyMap<string, readonly string[]>;
  readonly notes: readonly SegmentNote[];
}

export type CleaningLease = BaseId & { readonly fence: string };

export interface SegmentSwap {
  readonly replaced: readonly string[];
  /** Null when nothing is left of those replaced. */
  readonly merged: (SegmentEntry & { readonly documentIds: readonly string[] }) | null;
}

/** Changes of an index other than its documents'; one run at a time makes them. */
export interface KnowledgeCleaning {
  /** @returns null when another run holds the lease, or there is no such base. */
  acquire(lease: CleaningLease, nowMs: number, leaseUntilMs: number): Promise<CleaningState | null>;
  release(lease: CleaningLease): Promise<void>;
  noteSegment(lease: CleaningLease, segmentId: string, nowMs: number): Promise<void>;
  /** @returns false when the lease is lost. */
  swap(lease: CleaningLease, swap: SegmentSwap, nowMs: number): Promise<boolean>;
  /** Forgets removed documents that are in no segment any more. */
  forgetRemoved(lease: CleaningLease, documentIds: readonly string[]): Promise<void>;
  forgetNotes(base: BaseId, segmentIds: readonly string[]): Promise<void>;
  /** Keys of the uploads that its documents came from. */
  originals(base: BaseId): Promise<readonly string[]>;
  /** Of a base that is gone: forgets its documents, and turns its segments into notes. */
  strip(base: BaseId): Promise<readonly SegmentNote[]>;
}

/** Leftovers of removals and dead runs in a base's partition. */
export interface KnowledgeLeftovers {
  /** True while there is something that cleaning would remove, now or later. */
  has(base: BaseId): Promise<boolean>;
}

/** Bases with documents that are not indexed, or with something to be cleaned up. */
export interface OpenBases {
  list(): AsyncIterable<OpenBase>;
  /** Takes the base off the list, unless it was put there again. */
  close(base: OpenBase): Promise<void>;
}

export interface OpenBase extends BaseId {
  readonly stamp: string;
}

/** `documentId` null: the base is to be cleaned up. */
export interface KnowledgeMessage extends BaseId {
  readonly documentId: string | null;
}

export interface KnowledgeQueue {
  send(messages: readonly KnowledgeMessage[]): Promise<void>;
}

/** Contents on their way to the worker. */
export interface KnowledgeUploads {
  put(key: string, bytes: Uint8Array, mediaType: string): Promise<void>;
  /** @returns null when there is none. */
  head(key: string): Promise<{ readonly bytes: number; readonly mediaType: string } | null>;
  /** @throws DocumentUnreadable when there is none any more, or more of it than `maxBytes`. */
  get(key: string, maxBytes: number): Promise<Uint8Array>;
  remove(key: string): Promise<void>;
}

export interface WebPage {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** Pages and files on the web. */
export interface WebPages {
  /** @throws KnowledgeRefused */
  read(url: string, maxBytes: number): Promise<WebPage>;
}

/** Addresses that each allow one PUT of one object. */
export interface KnowledgeUploadLinks {
  putLink(key: string, mediaType: string, bytes: number, expiresInSeconds: number): Promise<string>;
}

/** Stored segments. */
export interface SegmentObjects {
  put(base: BaseId, segmentId: string, bytes: Uint8Array): Promise<void>;
  remove(base: BaseId, segmentIds: readonly string[]): Promise<void>;
}

export interface Segments {
  /** @returns null when there is none any more: the index has changed. */
  get(base: BaseId, segmentId: string): Promise<Segment | null>;
}

/** The content read from a document. */
export interface ReadDocument {
  readonly segment: Uint8Array;
  readonly passages: number;
  readonly pages: number | null;
  readonly pagesWithoutText: number | null;
}

/** Makes segments, with bounds on time and memory: documents come from anyone. */
export interface SegmentMaker {
  /** @throws DocumentUnreadable, TooBusy */
  read(
    bytes: Uint8Array,
    type: DocumentType,
    document: Pick<SegmentDocument, 'documentId' | 'title'>,
    reading: JobCaller & {
      /** Masks resident registration numbers. */
      readonly isMasked?: boolean;
    },
  ): Promise<ReadDocument>;
  /** One segment of several, without some documents; null when no document is left. */
  merge(segments: readonly Segment[], without: ReadonlySet<string>, caller: JobCaller): Promise<Uint8Array | null>;
}
