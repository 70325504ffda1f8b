import { expect, it } from 'vitest';
import type { HttpMiddleware } from '../../../../../functions/shared/http/http-middleware.ts';
import { delivery } from '../../../../../functions/shared/http/middleware/delivery.ts';
import { problems } from '../../../../../functions/shared/http/middleware/problems.ts';
import { Problem } from '../../../../../functions/shared/http/problem.ts';
import type { HttpResponse } from '../../../../../functions/shared/http/reply.ts';
import { exchanged } from '../../../../helpers/exchange.ts';

const route = { id: 'system.test', errors: 'envelope' } as const;
const refuse = async () => {
  throw new Problem(409, 'busy', 'Try later.');
};

/** Statuses that were sent, and how often the middleware around the delivery ran after them. */
async function sentBy(handle?: () => Promise<HttpResponse>, fail = false) {
  const sent: number[] = [];
  let around = 0;
  const count = () => void around++;
  const outer: HttpMiddleware = { after: count, onError: count };
  const send = async ({ statusCode }: HttpResponse) => {
    sent.push(statusCode);
    if (fail) throw new Error('broken pipe');
  };
  const running = exchanged([outer, delivery(), problems(route, {})], { ...(handle && { handle }), shared: { send } });
  const failure = await running.then(
    () => null,
    ({ message }: Error) => message,
  );
  return { sent, around, failure };
}

it('a stream gets the response once, be it of the handler or of an error', async () => {
  expect(await sentBy()).toEqual({ sent: [200], around: 1, failure: null });
  expect(await sentBy(refuse)).toEqual({ sent: [409], around: 1, failure: null });
});

it('a response that could not be sent fails the function, after the middlewares around it', async () => {
  expect(await sentBy(undefined, true)).toEqual({ sent: [200], around: 1, failure: 'broken pipe' });
  expect(await sentBy(refuse, true)).toEqual({ sent: [409], around: 1, failure: 'broken pipe' });
});

it('Lambda returns the response where there is no stream', async () => {
  const { response, internal } = await exchanged([delivery()]);
  expect(response.statusCode).toBe(200);
  expect(internal.sent).toBe(response);
});
