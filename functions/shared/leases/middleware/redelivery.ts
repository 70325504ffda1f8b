import type { SQSRecord } from 'aws-lambda';
import { logger } from '../../logging.ts';
import type { Middleware } from '../../middy.ts';
import type { RecordExchange } from './parsed-message.ts';

/** Changes the delay of a retry; without it the queue's visibility time-out is the delay. */
export interface Visibility {
  changeVisibility(receiptHandle: string, seconds: number): Promise<void>;
}

/** Reports a message as failed. */
class Retry extends Error {}

/** Has a message delivered again after a delay: on the verdict 'retry', and after an error, which is logged. */
export function redelivery(
  delaySeconds: (record: SQSRecord) => number,
  queue: Visibility | null,
): Middleware<RecordExchange> {
  return {
    after({ response }) {
      if (response === 'retry') throw new Retry();
    },
    async onError(exchange) {
      const { error, internal } = exchange;
      const { messageId, body, receiptHandle } = internal.record;
      if (!(error instanceof Retry)) {
        logger().error('A message could not be processed', { messageId, body, error: error as Error });
        exchange.error = new Retry();
      }
      await queue
        ?.changeVisibility(receiptHandle, delaySeconds(internal.record))
        .catch((error: Error) => logger().warn('The delay of a message could not be set', { messageId, error }));
    },
  };
}
