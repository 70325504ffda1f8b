import type { QueueGrant, QueueUse } from '../../functions/shared/access.ts';
import { queues } from '../../functions/shared/resources.ts';
import { allow, type Grant, type Sources } from './grant.ts';

/** Calls of the event source, which uses the rights of its function. */
const CONSUME = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

export function grantQueue({ queue: id, uses }: QueueGrant, { data }: Sources): readonly Grant[] {
  const { queue, deadLetters } = data.queues[id];
  const settings = { environment: { [queues[id].environment]: queue.queueUrl } };
  const grants: Readonly<Record<QueueUse, Grant>> = {
    send: { ...settings, statements: [allow(['sqs:SendMessage'], [queue.queueArn])] },
    // A consumer that puts off a message changes its visibility time-out.
    consume: { ...settings, statements: [allow([...CONSUME, 'sqs:ChangeMessageVisibility'], [queue.queueArn])] },
    'consume-dead-letters': { statements: [allow(CONSUME, [deadLetters.queueArn])] },
  };
  return uses.map((use) => grants[use]);
}
