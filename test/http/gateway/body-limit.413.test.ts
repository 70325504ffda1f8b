import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Probe, startProbe } from '../../helpers/probe-gateway.ts';
import { rawConnection, rawExchange } from '../../helpers/raw-http.ts';

const MAX_BODY_BYTES = 1000;

let probe: Probe;
let calls = 0;

beforeAll(async () => {
  const count = async (event: object) => {
    calls += 1;
    return { statusCode: 200, body: String((event as { body: string }).body.length) };
  };
  const bodyLimit = { maxBytes: MAX_BODY_BYTES, advice: 'Send less.' };
  probe = await startProbe([{ path: '/', method: 'POST', bodyLimit, run: count }]);
});

afterAll(() => probe.gateway.stop(0));

it('takes a body of exactly the limit', async () => {
  const response = await fetch(probe.url, { method: 'POST', body: 'x'.repeat(MAX_BODY_BYTES) });
  expect(await response.text()).toBe('1000');
});

it('refuses a body that says it is longer, before any of it is read', async () => {
  calls = 0;
  const answer = await rawExchange(
    probe.url,
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\nx'.concat('x'.repeat(1000)),
  );
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain('at most 1000 bytes. Send less.');
  expect(calls).toBe(0);
});

it('refuses a body of unknown length as soon as it is too long, while the client is still sending', async () => {
  const { socket, received } = await rawConnection(probe.url);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  socket.write(`3e9\r\n${'x'.repeat(1001)}\r\n`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toMatch(/^HTTP\/1\.1 413 /);
  // The rest is still taken off the wire, so that no reset overtakes the answer.
  socket.write('1\r\nx\r\n0\r\n\r\n');
  expect(await received).toContain('"code":"request_too_large"');
});

it('refuses a client that asks before it sends', async () => {
  const { socket, received } = await rawConnection(probe.url);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5000\r\n\r\n');
  await once(socket, 'data');
  socket.end();
  const answer = await received;
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).not.toContain('100 Continue');
});

it('lets a client send that asks first', async () => {
  const { socket, received } = await rawConnection(probe.url);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\n');
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toMatch(/^HTTP\/1\.1 100 Continue/);
  socket.write('abc');
  expect(await received).toMatch(/HTTP\/1\.1 200 OK[\s\S]*\r\n\r\n3$/);
});

it('survives clients that go away in the middle of a body', async () => {
  for (let n = 0; n < 3; n += 1) {
    const { socket, received } = await rawConnection(probe.url);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\nhalf');
    socket.destroy();
    await received;
  }
  expect((await fetch(probe.url, { method: 'POST', body: 'x' })).status).toBe(200);
});
