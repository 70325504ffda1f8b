import type { SQSEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import { eachExecution, pauseSeconds } from '../../../functions/sandbox/execution-messages.ts';
import { queues } from '../../../functions/shared/resources.ts';

const pauseAfter = (deliveries: number) =>
  pauseSeconds({ attributes: { ApproximateReceiveCount: String(deliveries) } } as SQSEvent['Records'][number]);

it('a message that finds no runner comes again soon at first, and in all for more than half an hour', () => {
  expect([1, 2, 3].map(pauseAfter)).toEqual([3, 5, 7]);
  const all = Array.from({ length: queues.executions.maxReceiveCount }, (_, i) => pauseAfter(i + 1));
  expect(Math.max(...all)).toBe(60);
  expect(all.reduce((sum, seconds) => sum + seconds)).toBeGreaterThan(30 * 60);
});

it('names the messages that must come again and puts them off; one that cannot be put off comes again all the same', async () => {
  const bodies = ['exec_1', 'exec_2', 'exec_3'].map((executionId) =>
    JSON.stringify({ workspaceId: 'ws_1', executionId }),
  );
  const Records = [...bodies, '{}'].map((body, i) => ({ messageId: `m${i}`, body }));
  const putOff: string[] = [];
  const answer = await eachExecution(
    { Records } as unknown as SQSEvent,
    async ({ executionId }) => (executionId === 'exec_1' ? 'done' : 'again'),
    async ({ messageId }) => {
      putOff.push(messageId);
      if (messageId === 'm1') throw new Error('unavailable');
    },
  );
  expect(putOff).toEqual(['m1', 'm2']);
  expect(answer.batchItemFailures).toEqual([{ itemIdentifier: 'm1' }, { itemIdentifier: 'm2' }]);
});
