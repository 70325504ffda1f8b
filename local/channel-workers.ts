import {
  answerMessagesWorker,
  deliverMessagesWorker,
  failMessagesWorker,
  reconcileMessagesWorker,
} from '../functions/channels/workers.ts';
import { environment } from '../functions/shared/environment.ts';
import type { QueueWorkers } from './queue-workers.ts';

/** Mostly waits for platforms. One workspace has at most eight, so that each queue has room for others. */
const DELIVERIES_AT_ONCE = { 'deliveries-high': 12, 'deliveries-normal': 12, 'deliveries-low': 10 } as const;

/** The workers of channels: of the messages that come in, and of the replies of each priority. */
export async function channelWorkers(): Promise<readonly QueueWorkers[]> {
  // Only now: the modules read the environment, which the service has just made.
  const [{ handler: answer }, { handler: deliver }, { handler: fail }, { handler: reconcile }] = await Promise.all([
    import('../functions/channels/handlers/answer-messages.ts'),
    import('../functions/channels/handlers/deliver-messages.ts'),
    import('../functions/channels/handlers/fail-messages.ts'),
    import('../functions/channels/handlers/reconcile-messages.ts'),
  ]);
  const { ANSWERS_AT_ONCE } = environment('ANSWERS_AT_ONCE');
  const failed = { worker: failMessagesWorker, handler: fail };
  const deliveries = (['deliveries-high', 'deliveries-normal', 'deliveries-low'] as const).map(
    (queue): QueueWorkers => ({
      queue,
      work: { worker: deliverMessagesWorker, handler: deliver, concurrency: DELIVERIES_AT_ONCE[queue] },
      fail: failed,
      reconcile: null,
    }),
  );
  return [
    ...deliveries,
    {
      queue: 'channel-inbound',
      work: { worker: answerMessagesWorker, handler: answer, concurrency: ANSWERS_AT_ONCE },
      fail: failed,
      // Of all four: the messages themselves are in the table.
      reconcile: { worker: reconcileMessagesWorker, handler: reconcile },
    },
  ];
}
