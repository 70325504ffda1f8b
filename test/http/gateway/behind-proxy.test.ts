import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Problem } from '../../../functions/shared/http/problem.ts';
import type { Route } from '../../../functions/shared/http/route.ts';
import { type Gateway, startGateway } from '../../../gateway/gateway.ts';
import { probeRoute } from '../../helpers/probe-gateway.ts';
import { rawConnection, rawExchange } from '../../helpers/raw-http.ts';

/** The gateway as in the container intake: behind a load balancer, with a budget for bodies and a check before them. */
const MAX_BODY_BYTES = 1000;
const bodyLimit = { maxBytes: MAX_BODY_BYTES, advice: 'Send less.' };
const route: Route = { ...probeRoute, method: 'POST', bodyLimit };

let gateway: Gateway;
let url: string;
let answers: PromiseWithResolvers<void>;
let screened = 0;

beforeAll(async () => {
  gateway = await startGateway({
    routes: [route],
    host: '127.0.0.1',
    port: 0,
    trustedProxy: 'load-balancer',
    // An address has half of it.
    bodyBudgetBytes: 4 * MAX_BODY_BYTES,
    screen: async (_, { headers }) => {
      screened += 1;
      if (Object.keys(headers).some((name) => name.toLowerCase() === 'x-guest'))
        throw new Problem(401, 'invalid_key', 'Who are you?');
      return null;
    },
    loadHandler: async () => async (event) => {
      await answers?.promise;
      const { requestContext } = event as { requestContext: { identity: { sourceIp: string } } };
      return { statusCode: 200, body: JSON.stringify(requestContext.identity.sourceIp) };
    },
  });
  url = `http://127.0.0.1:${gateway.port}`;
});
afterAll(() => gateway.stop(0));

const post = (length: number, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: 'x'.repeat(length), headers });

it("takes the client’s address from the load balancer, not from the client's own header", async () => {
  const headers = { 'x-forwarded-for': '127.0.0.1, 203.0.113.9, 198.51.100.7' };
  expect(await (await post(1, headers)).json()).toBe('198.51.100.7');
  expect(await (await post(1)).json()).toBe('127.0.0.1');
});

describe('the budget for bodies', () => {
  it('refuses bodies beyond the budget with 503, and releases the budget of answered ones', async () => {
    answers = Promise.withResolvers();
    screened = 0;
    const held = [post(900), post(900)];
    await expect.poll(() => screened).toBe(2);
    const refused = await post(900);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(await refused.json()).toMatchObject({ status: 'error', code: 503, error: { code: 'busy' } });
    const ofAnother = post(900, { 'x-forwarded-for': '198.51.100.7' });
    await expect.poll(() => screened).toBe(4);
    answers.resolve();
    for (const response of await Promise.all([...held, ofAnother])) expect(response.status).toBe(200);
    expect((await post(1000)).status).toBe(200);
  });

  it('counts a body of unknown length as the largest that the route takes', async () => {
    answers = Promise.withResolvers();
    screened = 0;
    const connections = await Promise.all([rawConnection(url), rawConnection(url)]);
    for (const { socket } of connections)
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n1\r\nx\r\n');
    await expect.poll(() => screened).toBe(2);
    expect((await post(1)).status).toBe(503);
    answers.resolve();
    for (const { socket, received } of connections) {
      socket.write('0\r\n\r\n');
      expect(await received).toMatch(/^HTTP\/1\.1 200 /);
    }
  });

  it('releases the budget of a client that went away', async () => {
    answers = Promise.withResolvers();
    answers.resolve();
    for (let n = 0; n < 5; n++) {
      const { socket, received } = await rawConnection(url);
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\nhalf');
      socket.destroy();
      await received;
    }
    await expect.poll(async () => (await post(1000)).status).toBe(200);
  });
});

describe('the check before the body', () => {
  it('turns a caller away before any of the body is read', async () => {
    const answer = await rawExchange(
      url,
      'POST / HTTP/1.1\r\nHost: x\r\nX-Guest: 1\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n'.concat(
        'x'.repeat(1000),
      ),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toContain('"code":"invalid_key"');
  });

  it('comes before a client that asks first may send', async () => {
    const { socket, received } = await rawConnection(url);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nX-Guest: 1\r\nExpect: 100-continue\r\nContent-Length: 900\r\n\r\n');
    await once(socket, 'data');
    socket.end();
    expect(await received).not.toContain('100 Continue');
  });
});
