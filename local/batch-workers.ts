import { availableParallelism } from 'node:os';
import { SQSClient } from '@aws-sdk/client-sqs';
import { failImageWorker, processImageWorker } from '../functions/extraction/workers.ts';
import type { EmbeddedAws } from './embedded/aws.ts';
import { consumeQueue } from './queue-consumer.ts';
import { type Repeating, repeat } from './repeating.ts';

/** As the schedule does on AWS. */
const RECONCILE_PAUSE_MS = 5 * 60_000;
/** Two readers, and one more image that is fetched meanwhile. */
const CONCURRENCY = Math.min(2, availableParallelism()) + 1;

/**
 * Stands in for the event sources and the schedule of batches on AWS. The embedded queue forgets with the process, so the
 * first round queues whatever is not finished.
 */
export async function runBatches(aws: Pick<EmbeddedAws, 'queue'>): Promise<Repeating> {
  // Only now: the modules read the environment, which the service has just made.
  const [{ handler: process }, { handler: fail }, { handler: reconcile }] = await Promise.all([
    import('../functions/extraction/handlers/process-image.ts'),
    import('../functions/extraction/handlers/fail-image.ts'),
    import('../functions/extraction/handlers/reconcile-jobs.ts'),
  ]);
  await reconcile({ queueIsEmpty: true });
  const client = new SQSClient({ useQueueUrlAsEndpoint: false });
  const { url, deadLettersUrl } = aws.queue('batch-images');
  const consumers = [
    consumeQueue({
      client,
      queueUrl: url,
      concurrency: CONCURRENCY,
      timeoutSeconds: processImageWorker.limits.timeoutSeconds,
      invoke: process,
    }),
    consumeQueue({
      client,
      queueUrl: deadLettersUrl,
      concurrency: 1,
      timeoutSeconds: failImageWorker.limits.timeoutSeconds,
      invoke: fail,
    }),
  ];
  const reconciling = repeat(() => reconcile(), RECONCILE_PAUSE_MS);
  return {
    async stop() {
      await Promise.all([reconciling.stop(), ...consumers.map((consumer) => consumer.stop())]);
      client.destroy();
    },
  };
}
