import { http, sockets } from '../../wiring/chat/chat.ts';
import { socketLine, startAnswer } from '../../wiring/chat/sockets.ts';
import { messageReceiver } from '../sockets/receive-message.ts';
import type { SocketEvent } from '../sockets/socket-event.ts';

const receive = messageReceiver({ sockets: sockets(), limits: http.limits(), lineTo: socketLine, startAnswer });

/** Of every message. API Gateway waits half a minute at most: another function gives the answer. */
export async function handler({ requestContext: { connectionId, requestId, apiId, stage }, body }: SocketEvent) {
  await receive({ connectionId, requestId, endpoint: { apiId, stage }, text: body ?? '' });
  return { statusCode: 200 };
}
