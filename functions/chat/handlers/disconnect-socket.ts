import { sockets } from '../../wiring/chat/chat.ts';
import type { SocketEvent } from '../sockets/socket-event.ts';

const store = sockets();

/** Handles `$disconnect`. Pending answers end when their next message finds the connection gone. */
export async function handler({ requestContext: { connectionId } }: SocketEvent) {
  await store.close(connectionId);
  return { statusCode: 200 };
}
