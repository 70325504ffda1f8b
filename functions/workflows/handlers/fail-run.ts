import type { SQSEvent } from 'aws-lambda';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { clock, ids, onDeadLetter, runLeases, runs } from '../../wiring/workflows/workflows.ts';
import { giveUpRun } from '../domain/run/reconcile-runs.ts';
import { runMessages } from '../run-messages.ts';

const ports = { runs: runs(), leases: runLeases(), clock, ids };

export const handler = (event: SQSEvent) =>
  processBatch(event, runMessages, async (message) => {
    const { event: _, ...names } = { event: null, ...message };
    await onDeadLetter(names);
    // Of an event nothing has started.
    return 'event' in message ? 'ack' : giveUpRun(message, ports);
  });
