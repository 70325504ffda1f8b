import { type MessageQueue, queueByUrl } from '../adapters/sqs/queue-by-url.ts';
import { environment } from '../shared/environment.ts';
import type { ExecutionId } from './domain/execution.ts';

/** Executions that wait for a worker. */
export function executionQueue(): MessageQueue<ExecutionId> {
  const { EXECUTIONS_QUEUE_URL } = environment('EXECUTIONS_QUEUE_URL');
  return queueByUrl(EXECUTIONS_QUEUE_URL);
}
