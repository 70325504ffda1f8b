import type { SQSEvent } from 'aws-lambda';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { giveUp } from '../domain/reconcile-executions.ts';
import { executionMessages } from '../execution-messages.ts';
import { executionLeases, executions } from '../sandbox-ports.ts';

const ports = { executions: executions(null), leases: executionLeases(null), clock: systemClock };

export const handler = (event: SQSEvent) => processBatch(event, executionMessages, (id) => giveUp(id, ports));
