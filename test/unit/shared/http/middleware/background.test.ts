import { afterEach, expect, it, vi } from 'vitest';
import { Deadline } from '../../../../../functions/shared/http/deadline.ts';
import type { HttpMiddleware } from '../../../../../functions/shared/http/http-middleware.ts';
import { background } from '../../../../../functions/shared/http/middleware/background.ts';
import { logger } from '../../../../../functions/shared/logging.ts';
import { exchanged } from '../../../../helpers/exchange.ts';

afterEach(() => vi.restoreAllMocks());

it('a response waits for background work, whose failure is a warning', async () => {
  const warn = vi.spyOn(logger(), 'warn').mockImplementation(() => undefined);
  const done: string[] = [];
  const { response } = await exchanged([
    background(),
    {
      before({ internal }) {
        internal.background(new Promise(setImmediate).then(() => done.push('late')));
        internal.background(Promise.reject(new Error('lost')));
      },
    },
  ]);
  expect(response.statusCode).toBe(200);
  expect(done).toEqual(['late']);
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    'Background work failed',
    expect.objectContaining({ requestId: 'req-1' }),
  );
});

it('a response does not wait for background work after the deadline', async () => {
  const endless: HttpMiddleware = { before: ({ internal }) => internal.background(new Promise(() => undefined)) };
  const { response } = await exchanged([background(), endless], { shared: { deadline: new Deadline(1) } });
  expect(response.statusCode).toBe(200);
});
