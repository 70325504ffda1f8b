import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { eachMessage, type Worked } from '../shared/each-message.ts';
import type { ExecutionId } from './domain/execution.ts';

const executionId = z.object({ workspaceId: z.string(), executionId: z.string() });

const FIRST_PAUSE_SECONDS = 3;
const LONGEST_PAUSE_SECONDS = 60;

/** Works off messages that name executions. */
export function eachExecution(
  event: SQSEvent,
  work: (id: ExecutionId) => Promise<Worked>,
  comeAgain?: (record: SQSRecord) => Promise<void>,
): Promise<SQSBatchResponse> {
  return eachMessage(event, executionId, work, comeAgain);
}

/** Until a message comes again that found no free runner: soon at first, and in all for three quarters of an hour. */
export function pauseSeconds({ attributes }: Pick<SQSRecord, 'attributes'>): number {
  const deliveries = Number(attributes.ApproximateReceiveCount);
  return Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS + 2 * (deliveries - 1));
}
