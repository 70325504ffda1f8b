import { publishesEvents } from '../shared/event-access.ts';
import type { Worker } from '../shared/worker.ts';
import { READ_TABLE } from './domain/read-table.ts';

/** Shorter than the queue's visibility time-out: a message is delivered again only after its worker has ended. */
const PROCESS_TIMEOUT_SECONDS = 5 * 60;

export const processImageWorker = {
  id: 'extraction.process-image',
  doc: { summary: 'Reads the images of batches, one message each' },
  limits: { timeoutSeconds: PROCESS_TIMEOUT_SECONDS, memoryMb: 3008 },
  access: {
    // A worker that posts for the line of a workspace completes the keys of single calls, too.
    tables: {
      ...publishesEvents.tables,
      ...{ accounts: 'read-write', extractions: 'read-write', idempotency: 'add', usage: 'add' },
    },
    uploads: 'read-remove',
    textract: true,
    ocr: true,
    freePages: true,
    master: true,
    formularies: 'read',
    queues: { ...publishesEvents.queues, 'batch-images': 'consume' },
  },
} as const satisfies Worker;

export const failImageWorker = {
  id: 'extraction.fail-image',
  doc: { summary: 'Ends the images of batches that were tried too often' },
  limits: { timeoutSeconds: 25, memoryMb: 256 },
  access: { tables: { extractions: 'read-write' }, queues: { 'batch-images': 'consume-dead-letters' } },
} as const satisfies Worker;

export const reconcileJobsWorker = {
  id: 'extraction.reconcile-jobs',
  doc: { summary: 'Queues or ends the images of batches that a crash left behind' },
  limits: { timeoutSeconds: 5 * 60, memoryMb: 256 },
  access: {
    tables: { ...publishesEvents.tables, extractions: 'read-write' },
    queues: { ...publishesEvents.queues, 'batch-images': 'send' },
  },
} as const satisfies Worker;

export const readTableWorker = {
  id: READ_TABLE,
  doc: { summary: 'Reads drug tables for chat applications and workflows, for the functions of those' },
  limits: { timeoutSeconds: 60, memoryMb: 3008 },
  access: {
    tables: { accounts: 'read-write', extractions: 'read-write', idempotency: 'read-write', usage: 'add' },
    uploads: 'read-remove',
    textract: true,
    ocr: true,
    freePages: true,
    master: true,
    formularies: 'read',
  },
} as const satisfies Worker;
