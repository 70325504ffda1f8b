import type { SQSEvent } from 'aws-lambda';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { onDeadLetter } from '../../wiring/knowledge/bases.ts';
import { crawlMessages } from '../sources/messages.ts';

/** Nothing is lost: the workspace stays listed, and the reconciler queues it again. */
export const handler = (event: SQSEvent) =>
  processBatch(event, crawlMessages, async (message) => {
    await onDeadLetter({ ...message });
    return 'ack';
  });
