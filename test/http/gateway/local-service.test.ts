import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { EXTRACT_PATH } from '../../helpers/api.ts';
import { rawConnection, rawExchange } from '../../helpers/raw-http.ts';
import { useService } from '../../helpers/service.ts';

/** The gateway's work before a handler runs, as `npm start` sets it up. */

const service = useService();

const head = (length: number, key: string) =>
  [
    `POST ${EXTRACT_PATH} HTTP/1.1`,
    'Host: localhost',
    `X-Api-Key: ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    '',
    '{',
  ].join('\r\n');

describe('a large body', () => {
  const bytes = 25 * 1024 * 1024;

  it.each(['', 'sk_nobody_knows_this'])('is not read for who has no valid key: %j', async (key) => {
    const { socket, received } = await rawConnection(service.baseUrl);
    socket.write(head(bytes, key));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
    await received;
  });

  it('is refused with 503 while others of the same address fill the memory for bodies', async () => {
    const held: Awaited<ReturnType<typeof rawConnection>>[] = [];
    let refusal = '';
    while (refusal === '' && held.length < 20) {
      const next = await rawConnection(service.baseUrl);
      held.push(next);
      next.socket.write(head(bytes, service.apiKey));
      next.socket.once('data', (answer: Buffer) => {
        refusal ||= answer.toString();
      });
      // Its head has been read when one that was sent later is answered.
      await (await fetch(`${service.baseUrl}/api/v1/health`)).arrayBuffer();
    }
    expect(refusal).toMatch(/^HTTP\/1\.1 503 /);
    expect(refusal).toMatch(/retry-after: \d+/i);
    expect(JSON.parse(refusal.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 503, error: { code: 'busy' } });
    for (const { socket } of held) socket.destroy();
    await Promise.all(held.map(({ received }) => received));
  });
});

it('a page whose name was made to point here gets 421, also where no key is wanted', async () => {
  const { port } = new URL(service.baseUrl);
  const request = (host: string) => `GET /api/v1/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  const refused = await rawExchange(service.baseUrl, request(`evil.example:${port}`));
  expect(refused).toMatch(/^HTTP\/1\.1 421 /);
  expect(refused).toContain('Call it as 127.0.0.1 or localhost');
  expect(await rawExchange(service.baseUrl, request(`localhost:${port}`))).toMatch(/^HTTP\/1\.1 200 /);
});
