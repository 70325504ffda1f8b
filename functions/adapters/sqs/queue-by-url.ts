import { memoizeAsync } from '../../shared/memoize-async.ts';
import { withoutCallLog } from '../shared/without-call-log.ts';
import type { SqsQueue, TenantMessage } from './sqs-queue.ts';

export type MessageQueue<Message extends TenantMessage> = Pick<SqsQueue<Message>, 'send' | 'changeVisibility'>;

/** Messages wait for those before them. */
const requestHandler = { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true };

/** The queue at an address. Its client is loaded with the first message: accepting or refusing a request needs none. */
export function queueByUrl<Message extends TenantMessage>(queueUrl: string): MessageQueue<Message> {
  const queue = memoizeAsync(async () => {
    const [{ SqsQueue }, { SQSClient }] = await Promise.all([import('./sqs-queue.ts'), import('@aws-sdk/client-sqs')]);
    return new SqsQueue<Message>(
      withoutCallLog(new SQSClient({ useQueueUrlAsEndpoint: false, requestHandler })),
      queueUrl,
    );
  });
  return {
    send: async (...message) => (await queue()).send(...message),
    changeVisibility: async (...message) => (await queue()).changeVisibility(...message),
  };
}
