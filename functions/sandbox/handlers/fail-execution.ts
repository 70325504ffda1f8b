import type { SQSEvent } from 'aws-lambda';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { giveUp } from '../domain/reconcile-executions.ts';
import { eachExecution } from '../execution-messages.ts';
import { executionStates } from '../sandbox-ports.ts';

const ports = { executions: executionStates(), clock: systemClock };

export const handler = (event: SQSEvent) => eachExecution(event, (id) => giveUp(id, ports));
