import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { processBatch } from '../../../../functions/shared/leases/process-batch.ts';
import { sqsEvent } from '../../../helpers/sqs-event.ts';

const numbers = {
  schema: z.object({ number: z.int().nonnegative() }),
  retries: { firstMs: 2_500, factor: 2, maxMs: 60_000 },
};
const event = (count: number) => sqsEvent(Array.from({ length: count }, (_, number) => ({ number })));
const failed = (...ids: readonly string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

describe('a batch of messages', () => {
  it('is processed one after another; those that failed are reported, and do not stop the others', async () => {
    const seen: string[] = [];
    const response = await processBatch(event(4), numbers, async ({ number }) => {
      seen.push(`begins ${number}`);
      await new Promise(setImmediate);
      seen.push(`ends ${number}`);
      if (number === 1) throw new Error('unavailable');
      return number === 2 ? 'retry' : 'ack';
    });
    expect(seen).toEqual([0, 1, 2, 3].flatMap((number) => [`begins ${number}`, `ends ${number}`]));
    expect(response).toEqual(failed('m1', 'm2'));
  });

  it('is reported, not thrown, when all of it failed', async () => {
    expect(await processBatch(event(2), numbers, async () => 'retry')).toEqual(failed('m0', 'm1'));
  });

  it('drops records that are not messages of the queue', async () => {
    const seen: unknown[] = [];
    const bodies = ['', '{', '{}', { number: -1 }, { number: 7 }];
    const response = await processBatch(sqsEvent(bodies), numbers, async (message) => {
      seen.push(message);
      return 'ack';
    });
    expect(seen).toEqual([{ number: 7 }]);
    expect(response).toEqual(failed());
  });

  it('sets the delay of its failed messages; one whose delay cannot be set is reported all the same', async () => {
    const delays: [string, number][] = [];
    const queue = {
      async changeVisibility(handle: string, seconds: number) {
        delays.push([handle, seconds]);
        if (delays.length === 1) throw new Error('unavailable');
      },
    };
    const response = await processBatch(
      event(3),
      numbers,
      async ({ number }) => (number === 0 ? 'ack' : 'retry'),
      queue,
    );
    expect(delays).toEqual([
      ['handle of m1', 3],
      ['handle of m2', 3],
    ]);
    expect(response).toEqual(failed('m1', 'm2'));
  });

  it('keeps apart from another one at the same time', async () => {
    const slow = Promise.withResolvers<void>();
    const first = processBatch(event(1), numbers, async () => {
      await slow.promise;
      return 'ack';
    });
    expect(await processBatch(event(2), numbers, async () => 'retry')).toEqual(failed('m0', 'm1'));
    slow.resolve();
    expect(await first).toEqual(failed());
  });
});
