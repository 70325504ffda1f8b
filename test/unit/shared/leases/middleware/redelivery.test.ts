import { afterEach, expect, it, vi } from 'vitest';
import type { Verdict } from '../../../../../functions/shared/leases/lease.ts';
import type { RecordExchange } from '../../../../../functions/shared/leases/middleware/parsed-message.ts';
import { redelivery } from '../../../../../functions/shared/leases/middleware/redelivery.ts';
import { logger } from '../../../../../functions/shared/logging.ts';
import { middy } from '../../../../../functions/shared/middy.ts';
import { sqsRecord } from '../../../../helpers/sqs-event.ts';

afterEach(() => vi.restoreAllMocks());

/** Whether a message is reported as failed, and the delays that were set. */
async function processed(process: () => Promise<'ack' | 'retry'>) {
  const delays: [string, number][] = [];
  const queue = { changeVisibility: async (...delay: [string, number]) => void delays.push(delay) };
  const record = sqsRecord({});
  const handler = middy<RecordExchange, () => Promise<Verdict>>(process)
    .use({ before: ({ internal }) => void Object.assign(internal, { record }) })
    .use(redelivery(() => 7, queue));
  const isFailed = await handler().then(
    () => false,
    () => true,
  );
  return { isFailed, delays };
}

it('an acknowledged message is not delivered again', async () => {
  expect(await processed(async () => 'ack')).toEqual({ isFailed: false, delays: [] });
});

it('a message to retry is reported, with the delay of its schedule', async () => {
  expect(await processed(async () => 'retry')).toEqual({ isFailed: true, delays: [['handle of m0', 7]] });
});

it('a message whose processing failed is logged and delivered again', async () => {
  const logged = vi.spyOn(logger(), 'error').mockImplementation(() => undefined);
  const { isFailed, delays } = await processed(() => Promise.reject(new Error('unavailable')));
  expect([isFailed, delays.length]).toEqual([true, 1]);
  expect(logged).toHaveBeenCalledOnce();
});
