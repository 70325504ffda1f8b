import { answerByWorkflow, askModels } from '../chat/answer-access.ts';
import { queue, table } from '../shared/access.ts';
import type { Worker } from '../shared/worker.ts';
import { requeueMessages } from './routes.ts';

/** A model's answer, its retries, and the writes around it; shorter than the queue's visibility time-out. */
const ANSWER_TIMEOUT_SECONDS = 300;

export const answerMessagesWorker = {
  id: 'channels.answer-messages',
  doc: { summary: 'Has applications answer the messages of platforms, a conversation each' },
  limits: { timeoutSeconds: ANSWER_TIMEOUT_SECONDS, memoryMb: 512 },
  // As the application's own chat, but for the limits of its callers.
  access: [
    ...askModels,
    ...answerByWorkflow,
    table('conversations', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    table('channels', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    queue('channel-inbound', 'consume', 'send'),
    queue('deliveries-high', 'send'),
    queue('deliveries-normal', 'send'),
  ],
} as const satisfies Worker;

export const deliverMessagesWorker = {
  id: 'channels.deliver-messages',
  doc: { summary: 'Delivers replies to platforms, a conversation each' },
  limits: { timeoutSeconds: 100, memoryMb: 256 },
  // Most of a delivery is waiting for the platform.
  batchSize: 10,
  access: [
    table('channels', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    queue('deliveries-high', 'consume', 'send'),
    queue('deliveries-normal', 'consume', 'send'),
    queue('deliveries-low', 'consume', 'send'),
    'secrets:open',
    'breakers',
    'outbox:add',
  ],
} as const satisfies Worker;

export const failMessagesWorker = {
  id: 'channels.fail-messages',
  doc: { summary: 'Makes dead letters of the messages that crash their workers' },
  limits: { timeoutSeconds: 25, memoryMb: 256 },
  access: [
    table('channels', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    queue('channel-inbound', 'consume-dead-letters'),
    queue('deliveries-high', 'consume-dead-letters'),
    queue('deliveries-normal', 'consume-dead-letters'),
    queue('deliveries-low', 'consume-dead-letters'),
  ],
} as const satisfies Worker;

export const reconcileMessagesWorker = {
  id: 'channels.reconcile-messages',
  doc: { summary: 'Queues the conversations that a crash left with messages and without a queue message' },
  limits: { timeoutSeconds: 5 * 60, memoryMb: 256 },
  // Replies that an outage kept back are put back when the circuit is closed.
  access: [...requeueMessages, 'breakers'],
} as const satisfies Worker;
