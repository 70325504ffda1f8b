import type { SQSEvent } from 'aws-lambda';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { clock, executionLeases, executions, onDeadLetter } from '../../wiring/sandbox/sandbox.ts';
import { giveUp } from '../domain/reconcile-executions.ts';
import { executionMessages } from '../execution-messages.ts';

const ports = { executions: executions(null), leases: executionLeases(), clock };

export const handler = (event: SQSEvent) =>
  processBatch(event, executionMessages, async (id) => {
    await onDeadLetter({ ...id });
    return giveUp(id, ports);
  });
