import type { Context, SQSEvent } from 'aws-lambda';
import { workOff } from '../domain/work-off.ts';
import { eachExecution, pauseSeconds } from '../execution-messages.ts';
import { executePorts, executionQueue } from '../wiring.ts';

const ports = executePorts();
const queue = executionQueue();

export const handler = (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>) =>
  eachExecution(
    event,
    (id) => workOff(id, ports.clock.now() + context.getRemainingTimeInMillis(), ports),
    (record) => queue.comeAgain(record.receiptHandle, pauseSeconds(record)),
  );
