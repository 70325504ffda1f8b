import { createHash } from 'node:crypto';
import {
  type BaseId,
  type DocumentId,
  indexIdOf,
  type KnowledgeBase,
  type KnowledgeDocument,
} from '../../knowledge/domain/knowledge-base.ts';
import {
  DOCUMENT_TITLES,
  EXTERNAL_IDS,
  KNOWLEDGE_DOCUMENTS,
  KNOWLEDGE_MARK,
  KNOWLEDGE_REMOVED,
  KNOWLEDGE_SEGMENTS,
  knowledgeBaseKey,
  knowledgePartition,
  openBaseKey,
  SEGMENT_CONTENTS,
  SEGMENT_NOTES,
} from '../dynamodb/keys.ts';
import type { DynamoTable, Item, Key } from '../dynamodb/table.ts';
import type { TransactItem } from '../dynamodb/transactions.ts';

/** Keys of everything that belongs to a base. */
export const baseKey = ({ workspaceId, baseId }: BaseId) => knowledgeBaseKey(workspaceId, baseId);
export const partitionOf = ({ workspaceId, baseId }: BaseId) => knowledgePartition(workspaceId, baseId);
const inBase = (base: BaseId, sk: string): Key => ({ pk: partitionOf(base), sk });
export const documentKey = (id: DocumentId) => inBase(id, `${KNOWLEDGE_DOCUMENTS}${id.documentId}`);
export const externalIdKey = (base: BaseId, externalId: string) => inBase(base, `${EXTERNAL_IDS}${hashed(externalId)}`);
export const titleKey = (base: BaseId, title: string) => inBase(base, `${DOCUMENT_TITLES}${hashed(title)}`);
const hashed = (text: string) => createHash('sha256').update(text).digest('base64url');
export const markKey = (base: BaseId) => inBase(base, KNOWLEDGE_MARK);
export const segmentKey = (base: BaseId, segmentId: string) => inBase(base, `${KNOWLEDGE_SEGMENTS}${segmentId}`);
export const removedKey = (id: DocumentId) => inBase(id, `${KNOWLEDGE_REMOVED}${id.documentId}`);
export const contentsKey = (base: BaseId, segmentId: string) => inBase(base, `${SEGMENT_CONTENTS}${segmentId}`);
export const noteKey = (base: BaseId, segmentId: string) => inBase(base, `${SEGMENT_NOTES}${segmentId}`);

export function baseOf(item: Item): KnowledgeBase {
  const stored = item as unknown as Omit<KnowledgeBase, 'embedding'> & Partial<Pick<KnowledgeBase, 'embedding'>>;
  const { workspaceId, baseId, name, description, documents, passages, createdAt, embedding = null } = stored;
  return { workspaceId, baseId, name, description, documents, passages, createdAt, embedding };
}

export function documentOf(item: Item): KnowledgeDocument {
  const stored = item as unknown as KnowledgeDocument;
  const {
    externalId = null,
    version = 1,
    contentHash = null,
    pagesWithoutText = null,
  } = stored as Partial<KnowledgeDocument>;
  // Those that were stored before there were versions have one at most.
  const isLive = stored.status === 'ready' && stored.live === undefined;
  const live = isLive ? { version, passages: stored.passages } : (stored.live ?? null);
  const { workspaceId, baseId, documentId, title, type, bytes, uploadKey, status, failure } = stored;
  const { pages, passages, createdAt, finishedAt, attempts, leaseUntilMs, queuedAtMs, requeues } = stored;
  return {
    ...{ externalId, version, live, contentHash, pagesWithoutText },
    ...{ workspaceId, baseId, documentId, title, type, bytes, uploadKey, status, failure },
    ...{ pages, passages, createdAt, finishedAt, attempts, leaseUntilMs, queuedAtMs, requeues },
  };
}

/** The part of a transaction that takes a version out of the index: it gives no answers from then on. */
export function removedPart(table: DynamoTable, id: DocumentId, version: number, nowMs: number): TransactItem {
  const indexId = indexIdOf(id, version);
  return table.putPart({ ...removedKey({ ...id, documentId: indexId }), documentId: indexId, removedAtMs: nowMs });
}

/** The part of a transaction that puts a base on the list of those with work left. @param stamp differs every time. */
export function openPart(table: DynamoTable, { workspaceId, baseId }: BaseId, stamp: string): TransactItem {
  return table.updatePart(openBaseKey(baseId), { orCreate: true, set: { workspaceId, baseId, stamp } });
}

/** All items of a query that comes in pages. */
export async function listed(
  table: DynamoTable,
  query: { readonly partition: string; readonly prefix: string; readonly limit: number; readonly after: Key | null },
): Promise<Item[]> {
  const found: Item[] = [];
  let after = query.after ?? undefined;
  do {
    const { items, last } = await table.page({
      partition: query.partition,
      prefix: query.prefix,
      descending: true,
      limit: query.limit - found.length,
      ...(after && { after }),
    });
    found.push(...items);
    after = last;
    // A page ends after 1 MB, however few items that are.
  } while (found.length < query.limit && after !== undefined);
  return found;
}
