import { SQSClient } from '@aws-sdk/client-sqs';
import { SqsQueue } from '../adapters/aws/sqs-queue.ts';
import { environment } from '../shared/environment.ts';
import type { ExecutionId } from './domain/execution.ts';

/** Executions that wait for a worker. */
export function executionQueue(): SqsQueue<ExecutionId> {
  const { EXECUTIONS_QUEUE_URL } = environment('EXECUTIONS_QUEUE_URL');
  return new SqsQueue(new SQSClient({ useQueueUrlAsEndpoint: false }), EXECUTIONS_QUEUE_URL);
}
