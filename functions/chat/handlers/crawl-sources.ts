import type { Context, SQSEvent } from 'aws-lambda';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { crawlWorkspace } from '../domain/knowledge/sources/crawl-workspace.ts';
import { crawlMessages } from '../knowledge-sources/messages.ts';
import { crawlPorts, crawlQueue } from '../knowledge-sources/wiring.ts';

const queue = crawlQueue();
const ports = crawlPorts();

export const handler = (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>) =>
  processBatch(
    event,
    crawlMessages,
    async (message) => {
      await crawlWorkspace(message, ports.clock.now() + context.getRemainingTimeInMillis(), ports);
      return 'ack';
    },
    queue,
  );
