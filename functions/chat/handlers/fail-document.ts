import type { SQSEvent } from 'aws-lambda';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { giveUpDocument } from '../domain/knowledge/reconcile-documents.ts';
import { knowledgeMessages } from '../knowledge/messages.ts';
import { clock, documentLeases, documents, onDeadLetter } from '../knowledge/wiring.ts';

const ports = { documents: documents(), leases: documentLeases(), clock };

export const handler = (event: SQSEvent) =>
  processBatch(event, knowledgeMessages, async ({ documentId, ...base }) => {
    await onDeadLetter({ ...base, documentId });
    return documentId === null ? 'ack' : giveUpDocument({ ...base, documentId }, ports);
  });
