import { afterEach, expect, it, vi } from 'vitest';
import { problems } from '../../../../../functions/shared/http/middleware/problems.ts';
import { Problem } from '../../../../../functions/shared/http/problem.ts';
import { type Frame, httpResponse } from '../../../../../functions/shared/http/reply.ts';
import { logger } from '../../../../../functions/shared/logging.ts';
import { TooBusy } from '../../../../../functions/shared/too-busy.ts';
import { exchanged } from '../../../../helpers/exchange.ts';

afterEach(() => vi.restoreAllMocks());

const route = { id: 'system.test', errors: 'envelope' } as const;

async function answerTo(error: unknown, setting: Parameters<typeof exchanged>[1] = {}) {
  const toProblem = (error: unknown) => (error === 'own' ? new Problem(404, 'not_found', 'There is none.') : null);
  const { response } = await exchanged([problems(route, { toProblem, guidesUrl: () => 'https://docs.example' })], {
    ...setting,
    handle: () => Promise.reject(error),
  });
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(response.body as string) };
}

it('an error becomes the problem that it is to the client, with a link to its guide', async () => {
  const answer = await answerTo('own');
  expect(answer).toMatchObject({ status: 404, body: { message: 'There is none.' } });
  expect(answer.headers.link).toBe('<https://docs.example/errors.md#not_found>; rel="help"');
  expect(await answerTo(new TooBusy())).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
});

it('an error after the client has gone away is not a fault', async () => {
  const signal = AbortSignal.abort();
  expect(await answerTo(new Error('interrupted'), { context: { signal } })).toMatchObject({ status: 499 });
});

it('an unexpected error is logged, and its text is not given away', async () => {
  const logged = vi.spyOn(logger(), 'error').mockImplementation(() => undefined);
  const answer = await answerTo(new Error('hunter2'));
  expect(answer.status).toBe(500);
  expect(answer.body.message).toContain('req-1');
  expect(JSON.stringify(answer)).not.toContain('hunter2');
  expect(logged).toHaveBeenCalledOnce();
});

it('a stream that fails ends with the problem as its last event', async () => {
  async function* frames(): AsyncGenerator<Frame> {
    yield { data: { n: 1 } };
    throw new Problem(502, 'provider_error', 'No model.');
  }
  const { response } = await exchanged([problems(route, {})], {
    handle: async () => httpResponse({ status: 200, frames: frames() }),
  });
  const sent: Frame[] = [];
  for await (const frame of response.body as AsyncIterable<Frame>) sent.push(frame);
  expect(sent).toMatchObject([
    { data: { n: 1 } },
    { event: 'error', data: { code: 'provider_error' } },
    { data: '[DONE]' },
  ]);
});
