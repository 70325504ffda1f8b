import { expect, it } from 'vitest';
import { deadline } from '../../../../../functions/shared/http/middleware/deadline.ts';
import { exchanged } from '../../../../helpers/exchange.ts';

it('work is given up with a 504 shortly before the function is cut off', async () => {
  const waiting = exchanged(
    [deadline(), { before: ({ internal }) => internal.deadline.race(new Promise<void>(() => undefined)) }],
    { context: { getRemainingTimeInMillis: () => 301 } },
  );
  await expect(waiting).rejects.toMatchObject({ status: 504, code: 'timeout' });
});

it('the deadline of a request that has ended never passes', async () => {
  const { internal } = await exchanged([deadline()], { context: { getRemainingTimeInMillis: () => 310 } });
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(internal.deadline.signal.aborted).toBe(false);
});
