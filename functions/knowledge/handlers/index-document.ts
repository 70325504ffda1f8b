import type { Context, SQSEvent } from 'aws-lambda';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { logger } from '../../shared/logging.ts';
import { indexPorts, knowledgeQueue } from '../../wiring/knowledge/bases.ts';
import { knowledgeMessages } from '../bases/messages.ts';
import { cleanBase } from '../domain/clean-base.ts';
import { indexDocument } from '../domain/index-document.ts';

const queue = knowledgeQueue();
const ports = {
  ...indexPorts(),
  async onGivenUp(document: object) {
    logger().error('A document was failed: its workers crashed too many times', { document });
  },
};

export const handler = (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>) =>
  processBatch(
    event,
    knowledgeMessages,
    async ({ documentId, ...base }) => {
      const deadlineMs = ports.clock.now() + context.getRemainingTimeInMillis();
      const verdict = documentId === null ? 'ack' : await indexDocument({ ...base, documentId }, deadlineMs, ports);
      if (verdict === 'ack')
        await cleanBase(base, deadlineMs, ports).catch((error: Error) =>
          logger().warn('A knowledge base was not cleaned up; the reconciler will see to it', { ...base, error }),
        );
      return verdict;
    },
    queue,
  );
