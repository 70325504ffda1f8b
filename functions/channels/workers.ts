import { completeChatRoute } from '../chat/completions/routes.ts';
import type { Worker } from '../shared/worker.ts';
import { replayAccess } from './routes.ts';

/** A model's answer, its retries, and the writes around it; shorter than the queue's visibility time-out. */
const ANSWER_TIMEOUT_SECONDS = 300;

/** Of what a chat uses all but the limits of its callers. */
const { limits: _, ...answering } = completeChatRoute.access.tables;

export const answerMessagesWorker = {
  id: 'channels.answer-messages',
  doc: { summary: 'Has applications answer the messages of platforms, a conversation each' },
  limits: { timeoutSeconds: ANSWER_TIMEOUT_SECONDS, memoryMb: 512 },
  access: {
    // As the application's own chat.
    ...completeChatRoute.access,
    tables: { ...answering, channels: 'read-write' },
    queues: {
      ...completeChatRoute.access.queues,
      'channel-inbound': 'consume-and-send',
      'deliveries-high': 'send',
      'deliveries-normal': 'send',
    },
  },
} as const satisfies Worker;

export const deliverMessagesWorker = {
  id: 'channels.deliver-messages',
  doc: { summary: 'Delivers replies to platforms, a conversation each' },
  limits: { timeoutSeconds: 100, memoryMb: 256 },
  // Most of a delivery is waiting for the platform.
  batchSize: 10,
  access: {
    tables: { channels: 'read-write' },
    secrets: 'open',
    breakers: true,
    // Owners are notified when a channel breaks.
    outbox: 'add',
    queues: {
      'deliveries-high': 'consume-and-send',
      'deliveries-normal': 'consume-and-send',
      'deliveries-low': 'consume-and-send',
    },
  },
} as const satisfies Worker;

export const failMessagesWorker = {
  id: 'channels.fail-messages',
  doc: { summary: 'Makes dead letters of the messages that crash their workers' },
  limits: { timeoutSeconds: 25, memoryMb: 256 },
  access: {
    tables: { channels: 'read-write' },
    queues: {
      'channel-inbound': 'consume-dead-letters',
      'deliveries-high': 'consume-dead-letters',
      'deliveries-normal': 'consume-dead-letters',
      'deliveries-low': 'consume-dead-letters',
    },
  },
} as const satisfies Worker;

export const reconcileMessagesWorker = {
  id: 'channels.reconcile-messages',
  doc: { summary: 'Queues the conversations that a crash left with messages and without a queue message' },
  limits: { timeoutSeconds: 5 * 60, memoryMb: 256 },
  // Replies that an outage kept back are put back when the circuit is closed.
  access: { ...replayAccess, breakers: true },
} as const satisfies Worker;
