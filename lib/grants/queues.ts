import { queues } from '../../functions/shared/resources.ts';
import { allow, entriesOf, type GrantMaker } from './grant.ts';

/** The calls of an event source, which uses the rights of its function. */
const CONSUME = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
/** A consumer that puts off a message changes its visibility time-out. */
const ACTIONS = {
  send: ['sqs:SendMessage'],
  consume: [...CONSUME, 'sqs:ChangeMessageVisibility'],
  'consume-and-send': [...CONSUME, 'sqs:ChangeMessageVisibility', 'sqs:SendMessage'],
} as const;

export const grantQueues: GrantMaker = ({ access }, { data }) =>
  entriesOf(access.queues ?? {}).map(([id, right]) => {
    const { queue, deadLetters } = data.queues[id];
    if (right === 'consume-dead-letters') return { statements: [allow(CONSUME, [deadLetters.queueArn])] };
    return {
      statements: [allow(ACTIONS[right], [queue.queueArn])],
      environment: { [queues[id].environment]: queue.queueUrl },
    };
  });
