import { errorMessage, readMessage } from '../sockets/messages.ts';
import type { SocketEvent } from '../sockets/socket-event.ts';
import { socketLine, startAnswer } from '../sockets/wiring.ts';

/** Of every message. API Gateway waits half a minute at most: another function gives the answer. */
export async function handler({ requestContext: { connectionId, requestId, apiId, stage }, body }: SocketEvent) {
  const endpoint = { apiId, stage };
  const read = readMessage(body ?? '');
  if ('problem' in read)
    await socketLine(endpoint).send(connectionId, errorMessage('invalid_request', read.problem, undefined));
  else if (read.message.type === 'ping') {
    const { id } = read.message;
    await socketLine(endpoint).send(connectionId, { type: 'pong', ...(id !== undefined && { id }), data: null });
  } else await startAnswer({ connectionId, requestId, endpoint, message: read.message });
  return { statusCode: 200 };
}
