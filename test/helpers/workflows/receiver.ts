import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly body: string;
}

/** A server for the requests of nodes, which records them with their idempotency keys. */
export async function startReceiver(answer: (request: Received) => string | Promise<string>) {
  const received: Received[] = [];
  const server = http.createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const key = request.headers['idempotency-key'];
    const { method = '', url: path = '' } = request;
    const known = { method, path, key: key === undefined ? null : String(key), body: Buffer.concat(parts).toString() };
    received.push(known);
    response.setHeader('content-type', 'text/plain; charset=utf-8').end(await answer(known));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Requests that change something, as a server that knows idempotency keys counts them: by path, each key once. */
    effects(path: string): readonly string[] {
      const keys = received.filter((each) => each.path === path && each.key !== null).map(({ key }) => key!);
      return [...new Set(keys)];
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
