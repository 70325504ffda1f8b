import type { Context, SQSEvent } from 'aws-lambda';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { backgroundPorts, executionQueue } from '../../wiring/sandbox/sandbox.ts';
import { processExecution } from '../domain/process-execution.ts';
import { executionMessages } from '../execution-messages.ts';

const ports = backgroundPorts();
const queue = executionQueue();

export const handler = (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>) =>
  processBatch(
    event,
    executionMessages,
    (id) => processExecution(id, ports.clock.now() + context.getRemainingTimeInMillis(), ports),
    queue,
  );
