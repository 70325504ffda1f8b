import { expect, it } from 'vitest';
import type { HttpRequest } from '../../../../../functions/shared/http/api-request.ts';
import type { Authenticator } from '../../../../../functions/shared/http/authenticate.ts';
import { cors } from '../../../../../functions/shared/http/middleware/cors.ts';
import { exchanged } from '../../../../helpers/exchange.ts';

const OURS = 'https://app.example.com';

async function headersFor(origin: string, authenticators = {}) {
  const request = { headers: { origin } } as unknown as HttpRequest;
  const { response } = await exchanged([cors(authenticators, () => [OURS])], { shared: { request } });
  return response.headers;
}

it('a page of an allowed origin may read a response, and no other page', async () => {
  expect(await headersFor(OURS)).toEqual({
    'content-type': 'text/plain',
    vary: 'origin',
    'access-control-allow-origin': OURS,
    'access-control-expose-headers': '*',
  });
  expect(await headersFor('https://other.example.com')).not.toHaveProperty('access-control-allow-origin');
});

it('any page may read a response to a public token', async () => {
  const visitor = {
    find: () => ({ rank: 'path', text: 'token' }),
    verify: async () => null,
  } as const satisfies Authenticator;
  const headers = await headersFor('https://other.example.com', { 'path-token': visitor });
  expect(headers['access-control-allow-origin']).toBe('*');
});
