import { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { withoutCallLog } from '../functions/adapters/shared/without-call-log.ts';
import type { QueueId } from '../functions/shared/resources.ts';
import type { Worker } from '../functions/shared/worker.ts';
import { aroundHandler } from '../gateway/around-handler.ts';
import type { EmbeddedAws } from './embedded/aws.ts';
import { consumeQueue } from './queue-consumer.ts';
import { type Repeating, repeat } from './repeating.ts';
import type { CountRequests } from './yield-to-requests.ts';

/** As the schedule does on AWS. */
/** For reconcilers without a pause. */
const RECONCILE_PAUSE_MS = 5 * 60_000;

type Consume = (event: SQSEvent, context: { getRemainingTimeInMillis(): number }) => Promise<SQSBatchResponse>;

export interface QueueWorkers {
  readonly queue: QueueId;
  readonly work: { readonly worker: Worker; readonly handler: Consume; readonly concurrency: number };
  readonly fail: { readonly worker: Worker; readonly handler: Consume };
  /** Null where the reconciler of another queue finds its work too. */
  readonly reconcile: {
    readonly worker: Worker;
    readonly handler: (event?: { readonly queueIsEmpty?: unknown }) => Promise<void>;
    /** Between two rounds. */
    readonly pauseMs?: number;
  } | null;
}

/**
 * Replaces the event sources and the schedule of a queue on AWS. The embedded queue loses its messages with the process, so the first
 * round queues all unfinished work.
 */
export async function runQueueWorkers(
  { queue, work, fail, reconcile }: QueueWorkers,
  aws: Pick<EmbeddedAws, 'queue'>,
  requests: CountRequests,
): Promise<Repeating> {
  const runReconcile = reconcile && aroundHandler(reconcile.worker.id, reconcile.handler);
  await runReconcile?.({ queueIsEmpty: true });
  const client = withoutCallLog(new SQSClient({ useQueueUrlAsEndpoint: false }));
  const { url, deadLettersUrl } = aws.queue(queue);
  const consumers = [
    consumeQueue({
      client,
      queueUrl: url,
      concurrency: work.concurrency,
      batchSize: work.worker.batchSize ?? 1,
      requests,
      timeoutSeconds: work.worker.limits.timeoutSeconds,
      invoke: aroundHandler(work.worker.id, work.handler),
    }),
    consumeQueue({
      client,
      queueUrl: deadLettersUrl,
      concurrency: 1,
      batchSize: 1,
      timeoutSeconds: fail.worker.limits.timeoutSeconds,
      invoke: aroundHandler(fail.worker.id, fail.handler),
    }),
  ];
  const pauseMs = reconcile?.pauseMs ?? RECONCILE_PAUSE_MS;
  const reconciling = runReconcile && repeat(() => runReconcile(), { firstAfterMs: pauseMs, pauseMs });
  return {
    async stop() {
      await Promise.all([reconciling?.stop(), ...consumers.map((consumer) => consumer.stop())]);
      client.destroy();
    },
  };
}
