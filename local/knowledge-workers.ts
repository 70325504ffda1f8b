import { failDocumentWorker, indexDocumentWorker, reconcileDocumentsWorker } from '../functions/knowledge/workers.ts';
import type { QueueWorkers } from './queue-workers.ts';

/** One document is read while another one is stored. */
const CONCURRENCY = 2;

/** The workers of documents of knowledge bases. */
export async function knowledgeWorkers(): Promise<QueueWorkers> {
  // Only now: the modules read the environment, which the service has just made.
  const [{ handler: work }, { handler: fail }, { handler: reconcile }] = await Promise.all([
    import('../functions/knowledge/handlers/index-document.ts'),
    import('../functions/knowledge/handlers/fail-document.ts'),
    import('../functions/knowledge/handlers/reconcile-documents.ts'),
  ]);
  return {
    queue: 'knowledge',
    work: { worker: indexDocumentWorker, handler: work, concurrency: CONCURRENCY },
    fail: { worker: failDocumentWorker, handler: fail },
    reconcile: { worker: reconcileDocumentsWorker, handler: reconcile },
  };
}
