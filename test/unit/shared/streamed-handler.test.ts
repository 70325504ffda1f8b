import { setTimeout as sleep } from 'node:timers/promises';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { streamedHandler } from '../../../functions/shared/http/streamed-handler.ts';
import { installLambdaGlobal } from '../../../local/gateway/response-stream.ts';
import { type Probe, startProbe } from '../../helpers/probe-gateway.ts';

beforeAll(() => installLambdaGlobal());

let probe: Probe | undefined;
afterEach(() => probe?.gateway.stop());

/** What a client gets over HTTP. */
async function get(answer: () => Promise<APIGatewayProxyResult>, times?: { headAfterMs: number; beatMs: number }) {
  probe = await startProbe([{ path: '/streamed', run: streamedHandler(answer, times) as never }]);
  return fetch(`${probe.url}/streamed`);
}

const answer = (statusCode: number, body: object): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'x-own': 'yes' },
  body: JSON.stringify(body),
});

describe('an answer', () => {
  it.each([200, 400, 500])('of status %d goes out as it is', async (status) => {
    const response = await get(async () => answer(status, { status }));
    expect([response.status, response.headers.get('x-own'), await response.json()]).toEqual([
      status,
      'yes',
      { status },
    ]);
  });

  it('that takes long begins as a 200, with spaces before it', async () => {
    const go = Promise.withResolvers<void>();
    const response = await get(() => go.promise.then(() => answer(200, { late: true })), { headAfterMs: 1, beatMs: 5 });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    await sleep(30);
    go.resolve();
    const text = await response.text();
    expect(text).toMatch(/^ {2,}\{"late":true\}$/);
    expect(JSON.parse(text)).toEqual({ late: true });
  });

  it('that has begun as a 200 and becomes another one is cut off', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const go = Promise.withResolvers<void>();
    const response = await get(() => go.promise.then(() => answer(500, {})), { headAfterMs: 1, beatMs: 1_000 });
    go.resolve();
    await expect(response.text()).rejects.toThrow();
  });
});
