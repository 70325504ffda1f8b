import { bucket, queue, table } from '../shared/access.ts';
import { publishesEvents } from '../shared/event-access.ts';
import type { Worker } from '../shared/worker.ts';
import { READ_TABLE } from './domain/read-table.ts';

/** Shorter than the queue's visibility time-out: a message is delivered again only after its worker has ended. */
const PROCESS_TIMEOUT_SECONDS = 5 * 60;

export const processImageWorker = {
  id: 'extraction.process-image',
  doc: { summary: 'Reads the images of batches, one message each' },
  limits: { timeoutSeconds: PROCESS_TIMEOUT_SECONDS, memoryMb: 3008 },
  access: [
    ...publishesEvents,
    table('accounts', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    table('extractions', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    table('idempotency', 'UpdateItem'),
    table('usage', 'UpdateItem'),
    bucket('uploads', 'DeleteObject', 'GetObject'),
    bucket('formularies', 'GetObject'),
    queue('batch-images', 'consume'),
    'free-pages',
    'textract',
    'ocr',
    'drug-master',
  ],
} as const satisfies Worker;

export const failImageWorker = {
  id: 'extraction.fail-image',
  doc: { summary: 'Ends the images of batches that were tried too often' },
  limits: { timeoutSeconds: 25, memoryMb: 256 },
  access: [
    table('extractions', 'BatchWriteItem', 'PutItem', 'Query', 'UpdateItem'),
    queue('batch-images', 'consume-dead-letters'),
  ],
} as const satisfies Worker;

export const reconcileJobsWorker = {
  id: 'extraction.reconcile-jobs',
  doc: { summary: 'Queues or ends the images of batches that a crash left behind' },
  limits: { timeoutSeconds: 5 * 60, memoryMb: 256 },
  access: [
    ...publishesEvents,
    table('extractions', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    queue('batch-images', 'send'),
  ],
} as const satisfies Worker;

export const readTableWorker = {
  id: READ_TABLE,
  doc: { summary: 'Reads drug tables for chat applications and workflows, for the functions of those' },
  limits: { timeoutSeconds: 60, memoryMb: 3008 },
  access: [
    table('accounts', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    table('extractions', 'BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    table('idempotency', 'DeleteItem', 'PutItem', 'UpdateItem'),
    table('usage', 'UpdateItem'),
    bucket('uploads', 'DeleteObject', 'GetObject'),
    bucket('formularies', 'GetObject'),
    'free-pages',
    'textract',
    'ocr',
    'drug-master',
  ],
} as const satisfies Worker;
