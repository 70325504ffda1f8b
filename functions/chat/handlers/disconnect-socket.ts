import type { SocketEvent } from '../sockets/socket-event.ts';
import { sockets } from '../wiring.ts';

const store = sockets();

/** Of `$disconnect`. What is still being answered ends when its next message finds the connection gone. */
export async function handler({ requestContext: { connectionId } }: SocketEvent) {
  await store.close(connectionId);
  return { statusCode: 200 };
}
