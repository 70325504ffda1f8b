import { afterEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { Verdict } from '../../../../../functions/shared/leases/lease.ts';
import {
  parsedMessage,
  type RecordExchange,
} from '../../../../../functions/shared/leases/middleware/parsed-message.ts';
import { logger } from '../../../../../functions/shared/logging.ts';
import { middy } from '../../../../../functions/shared/middy.ts';
import { sqsRecord } from '../../../../helpers/sqs-event.ts';

afterEach(() => vi.restoreAllMocks());

/** The verdict on a record, and the messages that were processed. */
async function processed(body: unknown) {
  const messages: unknown[] = [];
  const handle = async (message: unknown) => {
    messages.push(message);
    return 'retry' as const;
  };
  const handler = middy<RecordExchange, (record: object) => Promise<Verdict>>(handle).use(
    parsedMessage(z.object({ number: z.int() })),
  );
  return { verdict: await handler(sqsRecord(body)), messages };
}

it('a message is processed as its schema parses it', async () => {
  expect(await processed({ number: 7, more: 1 })).toEqual({ verdict: 'retry', messages: [{ number: 7 }] });
});

it('a body of another form is logged and acknowledged', async () => {
  const logged = vi.spyOn(logger(), 'error').mockImplementation(() => undefined);
  for (const body of ['{', {}]) expect(await processed(body)).toEqual({ verdict: 'ack', messages: [] });
  expect(logged).toHaveBeenCalledTimes(2);
});
