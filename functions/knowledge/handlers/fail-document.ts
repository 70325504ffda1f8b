import type { SQSEvent } from 'aws-lambda';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { clock, documentLeases, documents, onDeadLetter } from '../../wiring/knowledge/bases.ts';
import { knowledgeMessages } from '../bases/messages.ts';
import { giveUpDocument } from '../domain/reconcile-documents.ts';

const ports = { documents: documents(), leases: documentLeases(), clock };

export const handler = (event: SQSEvent) =>
  processBatch(event, knowledgeMessages, async ({ documentId, ...base }) => {
    await onDeadLetter({ ...base, documentId });
    return documentId === null ? 'ack' : giveUpDocument({ ...base, documentId }, ports);
  });
