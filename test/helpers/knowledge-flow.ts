import { randomBytes } from 'node:crypto';
import { DynamoDocumentLeases } from '../../functions/adapters/knowledge/dynamo-document-leases.ts';
import { DynamoKnowledgeBases } from '../../functions/adapters/knowledge/dynamo-knowledge-bases.ts';
import { DynamoKnowledgeDocuments } from '../../functions/adapters/knowledge/dynamo-knowledge-documents.ts';
import {
  DynamoKnowledgeIndexes,
  DynamoOpenBases,
} from '../../functions/adapters/knowledge/dynamo-knowledge-indexes.ts';
import { meaningFile } from '../../functions/adapters/knowledge/meaning-file.ts';
import { threadedSegmentMaker } from '../../functions/adapters/knowledge/segment-thread.ts';
import { ulidIds } from '../../functions/adapters/shared/system-ports.ts';
import { type BaseId, DocumentUnreadable } from '../../functions/knowledge/domain/knowledge-base.ts';
import type { KnowledgeMessage } from '../../functions/knowledge/domain/knowledge-ports.ts';
import { SubwordVectors } from '../../functions/knowledge/domain/meaning/subword-vectors.ts';
import { Segment } from '../../functions/knowledge/domain/segment.ts';
import type { TestClock } from './clock.ts';
import { type EmbeddedDynamo, TABLES } from './embedded-dynamo.ts';
import { defaultDataSettings, instantBackoff, messageList } from './fakes.ts';

/** The ports of knowledge bases over the embedded DynamoDB; objects and messages are in memory. */
export function knowledgeFlow({ client }: EmbeddedDynamo, clock: TestClock) {
  const { messages, queue } = messageList<KnowledgeMessage>();
  const uploads = new Map<string, Uint8Array>();
  const stored = new Map<string, Uint8Array>();
  const shared = { backoff: instantBackoff, ids: ulidIds, clock };
  const indexes = new DynamoKnowledgeIndexes(client, TABLES.knowledge, shared);
  const keyOf = ({ baseId }: BaseId, segmentId: string) => `${baseId}/${segmentId}`;
  const givenUp: object[] = [];
  const ports = {
    bases: new DynamoKnowledgeBases(client, TABLES.knowledge, shared),
    documents: new DynamoKnowledgeDocuments(client, TABLES.knowledge, shared),
    leases: new DynamoDocumentLeases(client, TABLES.knowledge, shared),
    openBases: new DynamoOpenBases(client, TABLES.knowledge),
    cleaning: indexes,
    leftovers: indexes,
    indexes,
    queue,
    uploads: {
      put: async (key: string, bytes: Uint8Array) => void uploads.set(key, bytes),
      remove: async (key: string) => void uploads.delete(key),
      head: async (key: string) => {
        const found = uploads.get(key);
        return found === undefined ? null : { bytes: found.byteLength, mediaType: 'text/plain' };
      },
      get: async (key: string) => {
        const found = uploads.get(key);
        if (found === undefined) throw new DocumentUnreadable('upload_gone', 'gone');
        return found;
      },
    },
    pages: { read: async () => ({ bytes: new Uint8Array(), mediaType: 'text/html' }) },
    objects: {
      put: async (base: BaseId, segmentId: string, bytes: Uint8Array) => void stored.set(keyOf(base, segmentId), bytes),
      remove: async (base: BaseId, ids: readonly string[]) => ids.forEach((id) => void stored.delete(keyOf(base, id))),
    },
    segments: {
      get: async (base: BaseId, segmentId: string) => {
        const bytes = stored.get(keyOf(base, segmentId));
        return bytes === undefined ? null : new Segment(bytes);
      },
    },
    maker: threadedSegmentMaker(),
    /** Of bases that name a model: one vector for all texts, so that each finds each. */
    embeddings: { embed: async (_: object, texts: readonly string[]) => texts.map(() => Float32Array.of(0.6, 0.8)) },
    subwordVectors: async () => new SubwordVectors(await meaningFile()),
    secrets: { seal: async (text: string) => text },
    addresses: { refusalOf: () => null },
    onWithoutVectors: () => undefined,
    clock,
    ids: ulidIds,
    random: randomBytes,
    onUnsent: () => undefined,
    dataSettings: defaultDataSettings,
    onGivenUp: async (document: object) => void givenUp.push(document),
  };
  return { ports, messages, stored, uploads, givenUp };
}
