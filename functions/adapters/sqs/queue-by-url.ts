import { memoizeAsync } from '../../shared/memoize-async.ts';
import type { SqsQueue, TenantMessage } from './sqs-queue.ts';

export type MessageQueue<Message extends TenantMessage> = Pick<SqsQueue<Message>, 'send' | 'changeVisibility'>;

/** The queue at an address. Its client is loaded with the first message: accepting or refusing a request needs none. */
export function queueByUrl<Message extends TenantMessage>(queueUrl: string): MessageQueue<Message> {
  const queue = memoizeAsync(async () => {
    const [{ SqsQueue }, { SQSClient }] = await Promise.all([import('./sqs-queue.ts'), import('@aws-sdk/client-sqs')]);
    return new SqsQueue<Message>(new SQSClient({ useQueueUrlAsEndpoint: false }), queueUrl);
  });
  return {
    send: async (...message) => (await queue()).send(...message),
    changeVisibility: async (...message) => (await queue()).changeVisibility(...message),
  };
}
