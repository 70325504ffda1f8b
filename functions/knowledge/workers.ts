import { bucket, queue, table } from '../shared/access.ts';
import type { Worker } from '../shared/worker.ts';

export const indexDocumentWorker = {
  id: 'knowledge.index-document',
  doc: { summary: 'Indexes the documents of knowledge bases, one message each, and cleans up their indexes' },
  // Shorter than the queue's visibility time-out: a message is delivered again only after its worker has ended.
  limits: { timeoutSeconds: 5 * 60, memoryMb: 3008 },
  access: [
    table('accounts', 'ConditionCheckItem', 'GetItem'),
    table('knowledge', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    bucket('uploads', 'DeleteObject', 'GetObject'),
    bucket('knowledge', 'DeleteObject', 'GetObject', 'PutObject'),
    queue('knowledge', 'consume'),
    'secrets:open',
    'chat-models',
    'pdf:scans',
  ],
} as const satisfies Worker;

export const failDocumentWorker = {
  id: 'knowledge.fail-document',
  doc: { summary: 'Fails the documents that were tried too often' },
  limits: { timeoutSeconds: 25, memoryMb: 256 },
  access: [table('knowledge', 'GetItem', 'UpdateItem'), queue('knowledge', 'consume-dead-letters')],
} as const satisfies Worker;

export const reconcileDocumentsWorker = {
  id: 'knowledge.reconcile-documents',
  doc: { summary: 'Queues or fails the documents that a crash left behind, and has indexes cleaned up' },
  limits: { timeoutSeconds: 5 * 60, memoryMb: 256 },
  access: [table('knowledge', 'DeleteItem', 'GetItem', 'Query', 'UpdateItem'), queue('knowledge', 'send')],
} as const satisfies Worker;

export const crawlSourcesWorker = {
  id: 'knowledge.crawl-sources',
  doc: { summary: 'Reads the sources of knowledge bases, a workspace after the other' },
  limits: { timeoutSeconds: 3 * 60, memoryMb: 512 },
  access: [
    table('accounts', 'GetItem'),
    table('knowledge', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    bucket('uploads', 'DeleteObject', 'GetObject', 'PutObject'),
    bucket('sources', 'GetObject', 'ListBucket'),
    queue('crawls', 'consume', 'send'),
    queue('knowledge', 'send'),
  ],
} as const satisfies Worker;

export const failCrawlWorker = {
  id: 'knowledge.fail-crawl',
  doc: { summary: 'Counts the workspaces whose sources could not be read' },
  limits: { timeoutSeconds: 25, memoryMb: 256 },
  access: [queue('crawls', 'consume-dead-letters')],
} as const satisfies Worker;

export const reconcileSourcesWorker = {
  id: 'knowledge.reconcile-sources',
  doc: { summary: 'Queues the workspaces whose sources are due, by their schedule or after a crash' },
  limits: { timeoutSeconds: 60, memoryMb: 256 },
  access: [table('knowledge', 'Query'), queue('crawls', 'send')],
} as const satisfies Worker;
