import { randomBytes } from 'node:crypto';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { DynamoDocumentLeases } from '../../adapters/knowledge/dynamo-document-leases.ts';
import { DynamoKnowledgeBases } from '../../adapters/knowledge/dynamo-knowledge-bases.ts';
import { DynamoKnowledgeDocuments } from '../../adapters/knowledge/dynamo-knowledge-documents.ts';
import { DynamoKnowledgeIndexes, DynamoOpenBases } from '../../adapters/knowledge/dynamo-knowledge-indexes.ts';
import { jitteredBackoff, systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { countDeadLetter } from '../../adapters/sqs/dead-letters.ts';
import { queueByUrl } from '../../adapters/sqs/queue-by-url.ts';
import type { CleanPorts } from '../../knowledge/domain/clean-base.ts';
import type { PassagePorts } from '../../knowledge/domain/document-passages.ts';
import type { Embeddings } from '../../knowledge/domain/embeddings.ts';
import type { IndexPorts } from '../../knowledge/domain/index-document.ts';
import type { IndexViewPorts } from '../../knowledge/domain/index-view.ts';
import type { BaseId } from '../../knowledge/domain/knowledge-base.ts';
import type { KnowledgeMessage, KnowledgeUploads } from '../../knowledge/domain/knowledge-ports.ts';
import type { KnowledgeSearch } from '../../knowledge/domain/knowledge-search.ts';
import type { ManageDocumentPorts } from '../../knowledge/domain/manage-knowledge.ts';
import type { ReconcileDocumentsPorts } from '../../knowledge/domain/reconcile-documents.ts';
import { knowledgeSearch } from '../../knowledge/domain/search-knowledge.ts';
import { toProblem } from '../../knowledge/http-errors.ts';
import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { memoize } from '../../shared/memoize.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import { dataSettings } from '../accounts/data-settings.ts';
import { httpPorts } from '../shared/http.ts';
import { secretBox } from '../shared/secret-box.ts';

export const http = { ...httpPorts, toProblem };

export const clock = systemClock;
export const onDeadLetter = countDeadLetter;

const shared = { backoff: jitteredBackoff, ids: ulidIds, clock };
const table = () => environment('KNOWLEDGE_TABLE').KNOWLEDGE_TABLE;

/** Bytes of segments that a function keeps in memory. */
const CACHED_BYTES = 128 * 2 ** 20;

export function bases(): DynamoKnowledgeBases {
  return new DynamoKnowledgeBases(dynamoClient(), table(), shared);
}

export function documents(): DynamoKnowledgeDocuments {
  return new DynamoKnowledgeDocuments(dynamoClient(), table(), shared);
}

export function documentLeases(): DynamoDocumentLeases {
  return new DynamoDocumentLeases(dynamoClient(), table(), shared);
}

const indexes = () => new DynamoKnowledgeIndexes(dynamoClient(), table(), shared);

export function knowledgeQueue() {
  const { KNOWLEDGE_QUEUE_URL } = environment('KNOWLEDGE_QUEUE_URL');
  return queueByUrl<KnowledgeMessage>(KNOWLEDGE_QUEUE_URL);
}

export function onUnsent({ baseId }: BaseId, error: unknown): void {
  logger().error('A message of a knowledge base was not sent; the reconciler will do it', {
    baseId,
    error: error as Error,
  });
}

export function removePorts() {
  return { queue: knowledgeQueue(), onUnsent };
}

/** Models of bases that have one: loaded with the first of them. */
export function embeddings(): Embeddings {
  const loaded = memoizeAsync(async () => {
    const { TRIPOD_LOCAL } = environment('TRIPOD_LOCAL');
    const [{ EmbeddingsByProvider }, { SafeFetch }] = await Promise.all([
      import('../../adapters/knowledge/embeddings-by-provider.ts'),
      import('../../adapters/web/safe-fetch.ts'),
    ]);
    const web = new SafeFetch({ field: 'embedding.base_url', allowLoopback: TRIPOD_LOCAL });
    return new EmbeddingsByProvider({ web, secrets: secretBox() });
  });
  return { embed: async (...texts) => (await loaded()).embed(...texts) };
}

export function addDocumentPorts(): ManageDocumentPorts {
  return {
    ...removePorts(),
    documents: documents(),
    dataSettings: dataSettings(),
    uploads: uploads(),
    pages: { read: async (...page) => (await webPages()).read(...page) },
    clock,
    ids: ulidIds,
    random: randomBytes,
    maxBytes: maxBytes(),
  };
}

export function uploadPorts() {
  const { UPLOADS_BUCKET } = environment('UPLOADS_BUCKET');
  const links = memoizeAsync(async () => {
    const { S3UploadLinks } = await import('../../adapters/extraction/s3-upload-links.ts');
    return new S3UploadLinks(UPLOADS_BUCKET);
  });
  return {
    links: {
      putLink: async (...put: Parameters<Awaited<ReturnType<typeof links>>['putLink']>) =>
        (await links()).putLink(...put),
    },
    ids: ulidIds,
    maxBytes: maxBytes(),
  };
}

/** The indexes of bases, with the segments that this runtime keeps. S3's client is loaded with the first of them. */
const readPorts: () => IndexViewPorts = memoize(() => {
  const segments = memoizeAsync(async () => {
    const [{ CachedSegments }, stored] = await Promise.all([
      import('../../adapters/knowledge/cached-segments.ts'),
      s3Segments(),
    ]);
    return new CachedSegments(stored, CACHED_BYTES);
  });
  return { indexes: indexes(), segments: { get: async (...segment) => (await segments()).get(...segment) } };
});

export function passagePorts(): PassagePorts {
  return { ...readPorts(), bases: bases(), documents: documents() };
}

/** The vectors of the service's own embedding, read by the first search that needs them. */
const subwordVectors = memoizeAsync(async () => {
  const [{ SubwordVectors }, { meaningFile }] = await Promise.all([
    import('../../knowledge/domain/meaning/subword-vectors.ts'),
    import('../../adapters/knowledge/meaning-file.ts'),
  ]);
  return new SubwordVectors(await meaningFile());
});

/** The search of this runtime. */
export const knowledge: () => KnowledgeSearch = memoize(() =>
  knowledgeSearch({
    ...readPorts(),
    embeddings: embeddings(),
    subwordVectors,
    onWithoutVectors: ({ baseId }, error) =>
      logger().warn('A question has no vector: its base is searched by terms alone', { baseId, error: error as Error }),
  }),
);

export function indexPorts(): Omit<IndexPorts, 'onGivenUp'> & CleanPorts {
  const maker = memoizeAsync(async () => {
    const { threadedSegmentMaker } = await import('../../adapters/knowledge/segment-thread.ts');
    const { OCR_DIR: ocrDirectory = null } = environment('OCR_DIR');
    return threadedSegmentMaker(undefined, { ocrDirectory });
  });
  return {
    bases: bases(),
    dataSettings: dataSettings(),
    embeddings: embeddings(),
    leases: documentLeases(),
    cleaning: indexes(),
    uploads: uploads(),
    objects: {
      put: async (...segment) => (await s3Segments()).put(...segment),
      remove: async (...segments) => (await s3Segments()).remove(...segments),
    },
    segments: { get: async (...segment) => (await s3Segments()).get(...segment) },
    maker: {
      read: async (...document) => (await maker()).read(...document),
      merge: async (...segments) => (await maker()).merge(...segments),
    },
    clock,
    ids: ulidIds,
    maxBytes: maxBytes(),
  };
}

export function reconcilePorts(): ReconcileDocumentsPorts {
  return {
    openBases: new DynamoOpenBases(dynamoClient(), table()),
    bases: bases(),
    documents: documents(),
    leftovers: indexes(),
    leases: documentLeases(),
    queue: knowledgeQueue(),
    clock,
  };
}

/** Loaded with the first document that is named by its address. */
const webPages = memoizeAsync(async () => {
  const { SafeWebPages } = await import('../../adapters/knowledge/web-pages.ts');
  return new SafeWebPages({ allowLoopback: environment('TRIPOD_LOCAL').TRIPOD_LOCAL });
});

const s3Segments = memoizeAsync(async () => {
  const { KNOWLEDGE_BUCKET } = environment('KNOWLEDGE_BUCKET');
  const [{ S3Segments }, { s3Client }] = await Promise.all([
    import('../../adapters/knowledge/s3-segments.ts'),
    import('../../adapters/s3/client.ts'),
  ]);
  return new S3Segments(KNOWLEDGE_BUCKET, s3Client());
});

export function uploads(): KnowledgeUploads {
  const { UPLOADS_BUCKET } = environment('UPLOADS_BUCKET');
  const bucket = memoizeAsync(async () => {
    const [{ S3KnowledgeUploads }, { s3Client }] = await Promise.all([
      import('../../adapters/knowledge/s3-knowledge-uploads.ts'),
      import('../../adapters/s3/client.ts'),
    ]);
    return new S3KnowledgeUploads(UPLOADS_BUCKET, s3Client());
  });
  return {
    put: async (...upload) => (await bucket()).put(...upload),
    head: async (...upload) => (await bucket()).head(...upload),
    get: async (...upload) => (await bucket()).get(...upload),
    remove: async (key) => (await bucket()).remove(key),
  };
}

function maxBytes(): number {
  return environment('SERVICE_MAX_UPLOAD_SIZE').SERVICE_MAX_UPLOAD_SIZE;
}
