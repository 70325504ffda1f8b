import type { Worker } from '../shared/worker.ts';

export const indexDocumentWorker = {
  id: 'chat.index-document',
  doc: { summary: 'Indexes the documents of knowledge bases, one message each, and cleans up their indexes' },
  // Shorter than the queue's visibility time-out: a message is delivered again only after its worker has ended.
  limits: { timeoutSeconds: 5 * 60, memoryMb: 3008 },
  access: {
    tables: { knowledge: 'read-write' },
    uploads: 'read',
    knowledge: 'read-write',
    queues: { knowledge: 'consume' },
    pdf: true,
  },
} as const satisfies Worker;

export const failDocumentWorker = {
  id: 'chat.fail-document',
  doc: { summary: 'Fails the documents that were tried too often' },
  limits: { timeoutSeconds: 25, memoryMb: 256 },
  access: { tables: { knowledge: 'read-write' }, queues: { knowledge: 'consume-dead-letters' } },
} as const satisfies Worker;

export const reconcileDocumentsWorker = {
  id: 'chat.reconcile-documents',
  doc: { summary: 'Queues or fails the documents that a crash left behind, and has indexes cleaned up' },
  limits: { timeoutSeconds: 5 * 60, memoryMb: 256 },
  access: { tables: { knowledge: 'read-write' }, queues: { knowledge: 'send' } },
} as const satisfies Worker;
