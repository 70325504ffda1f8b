import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RunningServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  stop(): Promise<void>;
}

/** Binds a server to 127.0.0.1. @param wantedPort 0: any that is free. */
export async function listenOnLoopback(server: Server, wantedPort = 0): Promise<RunningServer> {
  server.listen(wantedPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      // The SDK keeps its connections open; whatever is still answered has been waited for by the gateway.
      server.closeAllConnections();
      await closed;
    },
  };
}
