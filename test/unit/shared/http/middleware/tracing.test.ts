import { expect, it } from 'vitest';
import { delivery } from '../../../../../functions/shared/http/middleware/delivery.ts';
import { tracing } from '../../../../../functions/shared/http/middleware/tracing.ts';
import { exchanged } from '../../../../helpers/exchange.ts';

/** Calls to the span of a request. A whole trace is tested with a collector: test/http/gateway/tracing.test.ts. */
async function spanOf(statusCode: number) {
  const noted: unknown[] = [];
  const span = {
    set: (attributes: object) => void noted.push(attributes),
    fail: (code: string) => void noted.push(code),
  };
  await exchanged([tracing(), delivery()], {
    handle: async () => ({ statusCode, headers: {}, body: '' }),
    shared: { span },
  });
  return noted;
}

it('the span of a request has its status, and failed with a 5xx', async () => {
  expect(await spanOf(404)).toEqual([{ 'http.response.status_code': 404 }]);
  expect(await spanOf(503)).toEqual([{ 'http.response.status_code': 503 }, '503']);
});
