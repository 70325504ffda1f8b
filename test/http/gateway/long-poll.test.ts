import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { longPollHandler } from '../../../functions/shared/http/long-poll-handler.ts';
import { pipeline } from '../../../functions/shared/http/pipeline.ts';
import type { WholeReply } from '../../../functions/shared/http/reply.ts';
import { installLambdaGlobal } from '../../../gateway/response-stream.ts';
import { type Probe, probeRoute, startProbe } from '../../helpers/probe-gateway.ts';

beforeAll(() => installLambdaGlobal());

let probe: Probe | undefined;
afterEach(() => probe?.gateway.stop());

/** A client's view over HTTP. */
async function get(run: () => Promise<WholeReply>, times?: { headAfterMs: number; heartbeatMs: number }) {
  const endpoint = pipeline(probeRoute, { authenticators: {} }, run);
  probe = await startProbe([{ path: '/streamed', run: longPollHandler(endpoint, times) as never }]);
  return fetch(`${probe.url}/streamed`);
}

const reply = (status: number, body: object): WholeReply => ({ status, headers: { 'x-own': 'yes' }, body });

describe('a response', () => {
  it.each([200, 400, 500])('of status %d goes out as it is', async (status) => {
    const response = await get(async () => reply(status, { status }));
    expect([response.status, response.headers.get('x-own'), await response.json()]).toEqual([
      status,
      'yes',
      { status },
    ]);
  });

  it('that takes long starts as a 200, with spaces before it', async () => {
    const go = Promise.withResolvers<void>();
    const response = await get(() => go.promise.then(() => reply(200, { late: true })), {
      headAfterMs: 1,
      heartbeatMs: 5,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    await sleep(30);
    go.resolve();
    const text = await response.text();
    expect(text).toMatch(/^ {2,}\{"late":true\}$/);
    expect(JSON.parse(text)).toEqual({ late: true });
  });

  it('that has started as a 200 and becomes another one is cut off', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const go = Promise.withResolvers<void>();
    const response = await get(() => go.promise.then(() => reply(500, {})), { headAfterMs: 1, heartbeatMs: 1_000 });
    go.resolve();
    await expect(response.text()).rejects.toThrow();
  });
});
