import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RunningServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * A server on 127.0.0.1 that answers to that name alone. A page in a browser can make its own name point here (DNS
 * rebinding), and would then be let read what it gets; its requests still carry its own name.
 * @param wantedPort 0: any that is free.
 */
export async function listenOnLoopback(answer: RequestListener, wantedPort = 0): Promise<RunningServer> {
  const server = createServer((request, response) => {
    if (request.headers.host === host) return answer(request, response);
    response
      .writeHead(421, { 'content-type': 'text/plain', connection: 'close' })
      .end(`This server answers to the Host ${host} alone\n`);
    request.resume();
  });
  // A connection that ends just when it is used loses a call, and some calls must not be repeated.
  server.keepAliveTimeout = 0;
  server.listen(wantedPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    url: `http://${host}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      // The SDK keeps its connections open; the gateway has waited for all pending responses.
      server.closeAllConnections();
      await closed;
    },
  };
}
