import { expect, it } from 'vitest';
import { httpEventNormalizer } from '../../../../../functions/shared/http/middleware/http-event-normalizer.ts';
import { exchanged } from '../../../../helpers/exchange.ts';

it('a request has lower-case headers, its cookies and a signal of client and deadline', async () => {
  const client = new AbortController();
  const { internal } = await exchanged([httpEventNormalizer()], {
    event: { path: '/test', headers: { 'X-Api-Key': 'k', Cookie: 'a=1' } },
    context: { signal: client.signal },
  });
  const { request, deadline } = internal;
  expect(request).toMatchObject({
    requestId: 'aws-1',
    headers: { 'x-api-key': 'k' },
    cookies: { a: '1' },
    deadlineMs: deadline.atMs,
  });
  expect(request.signal.aborted).toBe(false);
  client.abort();
  expect(request.signal.aborted).toBe(true);
});
