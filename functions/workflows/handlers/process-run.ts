import type { Context, SQSEvent } from 'aws-lambda';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { processRun } from '../domain/run/process-run.ts';
import { runMessages } from '../run-messages.ts';
import { runPorts, runQueue } from '../wiring.ts';

const ports = runPorts();
const queue = runQueue();

export const handler = (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>) =>
  processBatch(
    event,
    runMessages,
    (id) => processRun(id, ports.clock.now() + context.getRemainingTimeInMillis(), ports),
    queue,
  );
