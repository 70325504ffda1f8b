import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { afterEach } from 'vitest';

/** Servers on loopback that end with the test that started them. */
export function listening() {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await close(server);
  });

  /** @returns the port of a server on 127.0.0.1. */
  async function listen(server: Server): Promise<number> {
    servers.push(server);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    return (server.address() as AddressInfo).port;
  }
  const serve = async (listener: RequestListener): Promise<string> =>
    `http://127.0.0.1:${await listen(http.createServer(listener))}`;
  /** @returns a port on which nothing listens any more. */
  async function closedPort(): Promise<number> {
    const port = await listen(http.createServer());
    await close(servers.pop()!);
    return port;
  }
  return { listen, serve, closedPort };
}

async function close(server: Server): Promise<void> {
  if (server instanceof http.Server || server instanceof https.Server) server.closeAllConnections();
  await new Promise((done) => server.close(done));
}
