import { expect, it } from 'vitest';
import { executionMessages } from '../../../functions/sandbox/execution-messages.ts';
import { retryDelaySeconds } from '../../../functions/shared/leases/process-batch.ts';
import { queues } from '../../../functions/shared/resources.ts';
import { sqsRecord } from '../../helpers/sqs-event.ts';

const delayAfter = (deliveries: number) => retryDelaySeconds(executionMessages.retries, sqsRecord({}, { deliveries }));

it('a message that finds no runner is delivered again soon at first, and in all for more than half an hour', () => {
  expect([1, 2, 3, 4].map(delayAfter)).toEqual([3, 4, 5, 6]);
  const all = Array.from({ length: queues.executions.maxReceiveCount }, (_, i) => delayAfter(i + 1));
  expect(Math.max(...all)).toBe(60);
  expect(all.reduce((sum, seconds) => sum + seconds)).toBeGreaterThan(30 * 60);
});
