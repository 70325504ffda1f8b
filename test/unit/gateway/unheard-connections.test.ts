import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { UnheardConnections } from '../../../gateway/unheard-connections.ts';
import { testClock } from '../../helpers/clock.ts';

const LIMITS = { many: 3, most: 6, patienceMs: 3_000 };
const HALF = 'GET / HTTP/1.1\r\nHost: x\r\n';
let server: Server;
let opened: Socket[] = [];
afterEach(async () => {
  for (const socket of opened) socket.destroy();
  opened = [];
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

async function serve() {
  const clock = testClock();
  const connections = new UnheardConnections(clock, LIMITS);
  server = createServer((request, response) => {
    connections.heard(request.socket);
    response.end('ok');
  });
  server.on('connection', (socket) => connections.opened(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  /** A connection that the server has accepted, or closed. */
  const open = async (text: string) => {
    const accepted = once(server, 'connection');
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    opened.push(socket);
    await accepted;
    if (!socket.destroyed) socket.write(text);
    return socket;
  };
  return { clock, open };
}

/** Also by a reset, which is an error first. */
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => (socket.destroyed ? resolve() : socket.once('close', () => resolve())));

it('closes connections with half a request that have been open for a while, once an address has many', async () => {
  const { clock, open } = await serve();
  const old = [await open(HALF), await open(HALF), await open(HALF)];
  clock.advance(4);
  const next = await open(`${HALF}\r\n`);
  await Promise.all(old.map(closed));
  expect(String(await once(next, 'data'))).toContain('200 OK');
});

it('closes no connection that has sent a request, however many there are', async () => {
  const { clock, open } = await serve();
  const heard: Socket[] = [];
  for (let n = 0; n < 2 * LIMITS.most; n++) {
    const socket = await open(`${HALF}\r\n`);
    await once(socket, 'data');
    heard.push(socket);
    clock.advance(4);
  }
  expect(heard.filter((socket) => socket.destroyed)).toEqual([]);
});

it('closes new ones beyond the most', async () => {
  const { clock, open } = await serve();
  const waiting: Socket[] = [];
  for (let n = 0; n < LIMITS.most; n++) waiting.push(await open(HALF));
  await closed(await open(HALF));
  expect(waiting.filter((socket) => socket.destroyed)).toEqual([]);
  clock.advance(4);
  await open(HALF);
  await Promise.all(waiting.map(closed));
});
