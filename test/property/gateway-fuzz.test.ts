import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Probe, startProbe } from '../helpers/probe-gateway.ts';
import { rawConnection } from '../helpers/raw-http.ts';

let probe: Probe;

beforeAll(async () => {
  const run = async (event: object) => ({ statusCode: 200, body: JSON.stringify(event) });
  probe = await startProbe([
    { path: '/things/{id}', run },
    { path: '/things', method: 'POST', run },
  ]);
});

afterAll(() => probe.gateway.stop(0));

const token = fc.stringMatching(/^[A-Za-z-]{1,12}$/);
const target = fc.oneof(fc.webPath(), fc.string({ maxLength: 40 }), fc.webUrl({ withQueryParameters: true }));
const field = fc.tuple(token, fc.string({ maxLength: 30 })).map(([name, value]) => `${name}: ${value}\r\n`);
const message = fc
  .tuple(
    fc.oneof(fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'TRACE'), token),
    target,
    fc.array(field, { maxLength: 5 }),
    fc.string(),
  )
  .map(([method, path, fields, body]) => `${method} ${path} HTTP/1.1\r\nHost: x\r\n${fields.join('')}\r\n${body}`);

it('the gateway answers any input or closes, always with a request id, and continues to serve', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(message, fc.string({ minLength: 1 })), async (text) => {
      const { socket, received } = await rawConnection(probe.url);
      socket.end(text);
      const answer = await received;
      for (const head of answer.match(/HTTP\/1\.1 [2-5]\d\d [\s\S]*?\r\n\r\n/g) ?? []) {
        expect(head.toLowerCase()).toContain('x-request-id: ');
      }
      expect(answer).not.toMatch(/^HTTP\/1\.1 50/);
    }),
    { numRuns: 300 },
  );
  expect((await fetch(`${probe.url}/things/1`)).status).toBe(200);
});
