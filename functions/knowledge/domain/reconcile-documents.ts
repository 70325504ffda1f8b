import type { Verdict } from '../../shared/leases/lease.ts';
import { type Decision, type Reconciled, reconcile } from '../../shared/leases/reconcile.ts';
import { type RetrySchedule, retryDelayMs } from '../../shared/leases/retry-schedule.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { GIVEN_UP } from './index-document.ts';
import type { DocumentId, KnowledgeDocument } from './knowledge-base.ts';
import type {
  DocumentLeases,
  KnowledgeBases,
  KnowledgeDocuments,
  KnowledgeLeftovers,
  KnowledgeMessage,
  KnowledgeQueue,
  OpenBase,
  OpenBases,
} from './knowledge-ports.ts';

export interface ReconcileDocumentsPorts {
  readonly openBases: OpenBases;
  readonly bases: Pick<KnowledgeBases, 'find'>;
  readonly documents: Pick<KnowledgeDocuments, 'find' | 'unfinished'>;
  readonly leftovers: KnowledgeLeftovers;
  readonly leases: Pick<DocumentLeases, 'abandon' | 'requeue'>;
  readonly queue: KnowledgeQueue;
  readonly clock: Clock;
}

/** After so long in the queue a message may be lost, or was never sent. */
const LOST_AFTER: RetrySchedule = { firstMs: 10 * 60_000, factor: 2, maxMs: Number.POSITIVE_INFINITY };
/** The last wait ends on the fourth day, when the queue forgets its messages. */
const MAX_REQUEUES = 8;

/** Null: the base itself is to be cleaned up. */
type Work = KnowledgeDocument | null;

/**
 * Queues or fails the documents that crashes and lost messages have left behind, and has bases cleaned up that need it.
 * @param afterRestart true right after the start of a single-process service with its queue in memory.
 */
export function reconcileDocuments(
  { openBases, bases, documents, leftovers, leases, queue, clock }: ReconcileDocumentsPorts,
  { afterRestart = false } = {},
): Promise<Reconciled> {
  return reconcile<OpenBase, Work>(
    {
      open: () => openBases.list(),
      async unfinished(base) {
        const isThere = (await bases.find(base)) !== null;
        const waiting = isThere ? await documents.unfinished(base) : [];
        return (await leftovers.has(base)) ? [...waiting, null] : waiting;
      },
      decide: (work, nowMs) => (work === null ? 'send' : decisionOn(work, nowMs, afterRestart)),
      requeue: async (work, nowMs) => work !== null && leases.requeue(work, nowMs),
      fail: async (work, nowMs) => work !== null && leases.abandon(work, nowMs, GIVEN_UP),
      send: (works, base) => queue.send(works.map((work) => messageOf(base, work))),
      close: (base) => openBases.close(base),
    },
    { clock },
  );
}

function decisionOn(document: KnowledgeDocument, nowMs: number, afterRestart: boolean): Decision {
  if (afterRestart) return 'requeue';
  const { queuedAtMs, leaseUntilMs, requeues } = document;
  if (Math.max(queuedAtMs, leaseUntilMs) + retryDelayMs(LOST_AFTER, requeues + 1) > nowMs) return 'wait';
  return requeues >= MAX_REQUEUES ? 'fail' : 'requeue';
}

function messageOf({ workspaceId, baseId }: OpenBase, work: Work): KnowledgeMessage {
  return { workspaceId, baseId, documentId: work?.documentId ?? null };
}

/** Fails a document whose message has used up its deliveries. @returns 'retry' while a run may still hold it. */
export async function giveUpDocument(
  id: DocumentId,
  { documents, leases, clock }: Pick<ReconcileDocumentsPorts, 'documents' | 'leases' | 'clock'>,
): Promise<Verdict> {
  if (await leases.abandon(id, clock.now(), GIVEN_UP)) return 'ack';
  const left = await documents.find(id);
  return left === null || left.finishedAt !== null ? 'ack' : 'retry';
}
