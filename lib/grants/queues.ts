import { queues } from '../../functions/shared/resources.ts';
import { allow, allowUsed, entriesOf, type GrantMaker } from './grant.ts';

/** Calls of the event source, which uses the rights of its function. No code of ours makes them. */
const CONSUME = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
/** A consumer that puts off a message changes its visibility time-out. */
const ACTIONS = {
  send: ['sqs:SendMessage'],
  consume: ['sqs:ChangeMessageVisibility'],
  'consume-and-send': ['sqs:ChangeMessageVisibility', 'sqs:SendMessage'],
} as const;

export const grantQueues: GrantMaker = (entry, { data }) =>
  entriesOf(entry.access.queues ?? {}).map(([id, right]) => {
    const { queue, deadLetters } = data.queues[id];
    if (right === 'consume-dead-letters') return { statements: [allow(CONSUME, [deadLetters.queueArn])] };
    return {
      statements: [
        ...(right === 'send' ? [] : [allow(CONSUME, [queue.queueArn])]),
        ...allowUsed(entry, `queue:${id}`, ACTIONS[right], [queue.queueArn]),
      ],
      environment: { [queues[id].environment]: queue.queueUrl },
    };
  });
