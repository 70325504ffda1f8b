import type { Context, SQSEvent } from 'aws-lambda';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { crawlPorts, crawlQueue } from '../../wiring/knowledge/sources.ts';
import { crawlWorkspace } from '../domain/sources/crawl-workspace.ts';
import { crawlMessages } from '../sources/messages.ts';

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
