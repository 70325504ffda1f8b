import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { BaseId, EmbeddingConfig } from '../../knowledge/domain/knowledge-base.ts';
import type {
  CleaningLease,
  CleaningState,
  IndexEntries,
  KnowledgeCleaning,
  KnowledgeIndexes,
  KnowledgeLeftovers,
  OpenBase,
  OpenBases,
  SegmentNote,
  SegmentSwap,
} from '../../knowledge/domain/knowledge-ports.ts';
import { chunks } from '../../shared/chunks.ts';
import { equal, PRESENT } from '../dynamodb/expressions.ts';
import {
  KNOWLEDGE_DOCUMENTS,
  KNOWLEDGE_INDEX,
  KNOWLEDGE_MARK,
  KNOWLEDGE_REMOVED,
  KNOWLEDGE_SEGMENTS,
  OPEN_BASES_PARTITION,
  openBaseKey,
  SEGMENT_CONTENTS,
  SEGMENT_NOTES,
} from '../dynamodb/keys.ts';
import { leases } from '../dynamodb/leases.ts';
import { DynamoTable, type Item } from '../dynamodb/table.ts';
import { type TransactItem, transactOrRetry } from '../dynamodb/transactions.ts';
import type { DynamoKnowledgePorts } from './dynamo-knowledge-bases.ts';
import { contentsKey, markKey, noteKey, partitionOf, removedKey, segmentKey } from './knowledge-items.ts';

const { held, free, acquire, release } = leases({ waiting: 'idle', leased: 'cleaning' });

/** Writes of a transaction, but for the check of the lease. */
const MAX_WRITES = 99;

/** The parts of bases' indexes: one item for each segment and for each removed document. */
export class DynamoKnowledgeIndexes implements KnowledgeIndexes, KnowledgeCleaning, KnowledgeLeftovers {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;
  readonly #ports: Pick<DynamoKnowledgePorts, 'backoff'>;

  constructor(client: DynamoDBDocumentClient, table: string, ports: Pick<DynamoKnowledgePorts, 'backoff'>) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
    this.#ports = ports;
  }

  async read(base: BaseId): Promise<IndexEntries | null> {
    const items = await this.#itemsOf(base, KNOWLEDGE_INDEX);
    return items.some(({ sk }) => sk === KNOWLEDGE_MARK) ? entriesOf(items) : null;
  }

  async acquire(lease: CleaningLease, nowMs: number, leaseUntilMs: number): Promise<CleaningState | null> {
    const isHeld = await this.#table.update(markKey(lease), acquire(lease.fence, leaseUntilMs, free(nowMs)));
    if (!isHeld) return null;
    // In this order: a document that is among the removed was in a segment before, so that its contents are read too.
    const index = await this.#itemsOf(lease, KNOWLEDGE_INDEX);
    const contents = await this.#itemsOf(lease, SEGMENT_CONTENTS);
    const notes = await this.#itemsOf(lease, SEGMENT_NOTES);
    return {
      ...entriesOf(index),
      contents: new Map(contents.map(({ segmentId, documentIds }) => [segmentId as string, documentIds as string[]])),
      notes: notes.map(noteOf),
    };
  }

  async release(lease: CleaningLease): Promise<void> {
    await this.#table.update(markKey(lease), release(lease.fence));
  }

  async noteSegment(lease: CleaningLease, segmentId: string, nowMs: number): Promise<void> {
    await this.#table.put({ ...noteKey(lease, segmentId), segmentId, notedAtMs: nowMs });
  }

  async swap(lease: CleaningLease, { replaced, merged }: SegmentSwap, nowMs: number): Promise<boolean> {
    const writes: TransactItem[] = replaced.flatMap((segmentId) => [
      this.#table.deletePart(segmentKey(lease, segmentId), PRESENT),
      this.#table.deletePart(contentsKey(lease, segmentId)),
      this.#table.putPart({ ...noteKey(lease, segmentId), segmentId, notedAtMs: nowMs }),
    ]);
    if (merged !== null) {
      const { documentIds, ...entry } = merged;
      const { segmentId } = entry;
      writes.push(
        this.#table.putPart({ ...segmentKey(lease, segmentId), ...entry }),
        this.#table.putPart({ ...contentsKey(lease, segmentId), segmentId, documentIds }),
        this.#table.deletePart(noteKey(lease, segmentId)),
      );
    }
    return this.#whileHeld(lease, writes);
  }

  async forgetRemoved(lease: CleaningLease, documentIds: readonly string[]): Promise<void> {
    const writes = documentIds.map((documentId) => this.#table.deletePart(removedKey({ ...lease, documentId })));
    for (const some of chunks(writes, MAX_WRITES)) if (!(await this.#whileHeld(lease, some))) return;
  }

  async forgetNotes(base: BaseId, segmentIds: readonly string[]): Promise<void> {
    await Promise.all(segmentIds.map((segmentId) => this.#table.delete(noteKey(base, segmentId))));
  }

  async originals(base: BaseId): Promise<string[]> {
    const keys: string[] = [];
    const query = { partition: partitionOf(base), prefix: KNOWLEDGE_DOCUMENTS, attributes: ['uploadKey'] };
    for await (const { uploadKey } of this.#table.query<{ uploadKey: string }>(query)) keys.push(uploadKey);
    return keys;
  }

  async strip(base: BaseId): Promise<readonly SegmentNote[]> {
    const notes: SegmentNote[] = [];
    for await (const item of this.#table.query({ partition: partitionOf(base) })) {
      const { pk, sk } = item as { pk: string; sk: string };
      if (sk.startsWith(SEGMENT_NOTES)) notes.push(noteOf(item));
      else if (sk.startsWith(KNOWLEDGE_SEGMENTS)) {
        // Nothing more will be stored there: it can be removed at once.
        const note = { segmentId: item.segmentId as string, notedAtMs: 0 };
        await this.#table.put({ ...noteKey(base, note.segmentId), ...note });
        await this.#table.delete({ pk, sk });
        notes.push(note);
      } else await this.#table.delete({ pk, sk });
    }
    return notes;
  }

  async has(base: BaseId): Promise<boolean> {
    const items = await this.#itemsOf(base, '');
    const isThere = items.some(({ sk }) => sk === KNOWLEDGE_MARK);
    if (!isThere) return items.length > 0;
    return items.some(({ sk }) =>
      [KNOWLEDGE_REMOVED, SEGMENT_NOTES].some((prefix) => (sk as string).startsWith(prefix)),
    );
  }

  async #whileHeld(lease: CleaningLease, writes: readonly TransactItem[]): Promise<boolean> {
    const cancelled = await transactOrRetry(
      this.#client,
      [
        ['lease', this.#table.checkPart(markKey(lease), held(lease.fence))],
        ...writes.map((write) => ['write', write] as const),
      ],
      this.#ports.backoff,
    );
    return cancelled === null;
  }

  async #itemsOf(base: BaseId, prefix: string): Promise<Item[]> {
    const items: Item[] = [];
    const query = { partition: partitionOf(base), ...(prefix !== '' && { prefix }) };
    for await (const item of this.#table.query(query)) items.push(item);
    return items;
  }
}

/** The bases that DynamoKnowledgeBases and DynamoKnowledgeDocuments put on the list. */
export class DynamoOpenBases implements OpenBases {
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#table = new DynamoTable(client, table);
  }

  async *list(): AsyncGenerator<OpenBase> {
    for await (const { workspaceId, baseId, stamp } of this.#table.query<OpenBase>({ partition: OPEN_BASES_PARTITION }))
      yield { workspaceId, baseId, stamp };
  }

  async close({ baseId, stamp }: OpenBase): Promise<void> {
    await this.#table.delete(openBaseKey(baseId), equal('stamp', stamp));
  }
}

function entriesOf(items: readonly Item[]): IndexEntries {
  const mark = items.find(({ sk }) => sk === KNOWLEDGE_MARK);
  const under = (prefix: string) => items.filter(({ sk }) => (sk as string).startsWith(prefix));
  return {
    embedding: (mark?.embedding as EmbeddingConfig | null | undefined) ?? null,
    segments: under(KNOWLEDGE_SEGMENTS).map((item) => ({
      segmentId: item.segmentId as string,
      bytes: item.bytes as number,
      passages: item.passages as number,
    })),
    removed: under(KNOWLEDGE_REMOVED).map((item) => ({
      documentId: item.documentId as string,
      removedAtMs: item.removedAtMs as number,
    })),
  };
}

const noteOf = ({ segmentId, notedAtMs }: Item): SegmentNote => ({
  segmentId: segmentId as string,
  notedAtMs: notedAtMs as number,
});
