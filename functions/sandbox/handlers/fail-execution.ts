import type { SQSEvent } from 'aws-lambda';
import { giveUp } from '../domain/reconcile-executions.ts';
import { eachExecution } from '../execution-messages.ts';
import { clock, executionStates } from '../wiring.ts';

const ports = { executions: executionStates(), clock };

export const handler = (event: SQSEvent) => eachExecution(event, (id) => giveUp(id, ports));
