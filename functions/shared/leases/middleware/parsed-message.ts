import type { SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import { logger } from '../../logging.ts';
import type { Exchange, Middleware } from '../../middy.ts';
import type { Verdict } from '../lease.ts';

export type RecordExchange = Exchange<SQSRecord, unknown, Verdict, { record: SQSRecord }>;

/** Parses the message of a record. A body of another form is logged and acknowledged: no delivery would make it a message. */
export function parsedMessage(schema: z.ZodType): Middleware<RecordExchange> {
  return {
    before(exchange): Verdict | undefined {
      const { messageId, body } = exchange.event;
      exchange.internal.record = exchange.event;
      const message = messageOf(body, schema);
      if (message === null) {
        logger().error('A message of an unknown form was dropped', { messageId, body });
        return 'ack';
      }
      exchange.event = message as never;
      return undefined;
    },
  };
}

function messageOf(body: string, schema: z.ZodType): unknown {
  try {
    return schema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}
