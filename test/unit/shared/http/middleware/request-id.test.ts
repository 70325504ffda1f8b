import { expect, it } from 'vitest';
import { requestId } from '../../../../../functions/shared/http/middleware/request-id.ts';
import { exchanged } from '../../../../helpers/exchange.ts';

it('a response names its request, even if the handler named another', async () => {
  const { response } = await exchanged([requestId()], {
    handle: async () => ({ statusCode: 204, headers: { 'x-request-id': 'other', etag: '"1"' }, body: '' }),
  });
  expect(response.headers).toEqual({ 'x-request-id': 'req-1', etag: '"1"' });
});
