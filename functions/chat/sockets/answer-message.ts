import type { DirectEndpoint } from '../../shared/http/execution-modes.ts';
import { completeChatRoute } from '../completions/routes.ts';
import { accessTokens } from '../domain/access-tokens.ts';
import { type Socket, SocketGone, type SocketLine } from '../domain/sockets.ts';
import { type ChatMessage, errorMessage, sessionMessage, toSocketMessages } from './messages.ts';
import { requestEvent } from './socket-event.ts';

export interface AnswerPorts {
  readonly line: SocketLine;
  /** The endpoint of completions. */
  readonly endpoint: DirectEndpoint;
  /** Calls `tick` every so often until it is stopped. */
  readonly every: (ms: number, tick: () => void) => () => void;
}

export interface Answering {
  readonly requestId: string;
  readonly socket: Socket;
  readonly token: string;
  readonly message: ChatMessage;
  readonly getRemainingTimeInMillis: () => number;
  /** Aborted when this function is to end. */
  readonly signal: AbortSignal;
}

/** Clients that only wait are looked for so often. */
const LOOK_MS = 5_000;

const OWN_APPLICATION =
  'application_id: the access token of this connection chats with its own application only. Send the access token itself as application_id.';

/**
 * Answers a message as the endpoint of completions would, one message for each event of the stream, and waits for each of
 * them to be taken. A client that has gone away ends the run.
 */
export async function answerMessage(
  { requestId, socket, token, message, getRemainingTimeInMillis, signal }: Answering,
  { line, endpoint, every }: AnswerPorts,
): Promise<void> {
  const { connectionId, sourceAddress, userAgent, origin } = socket;
  const { id, application_id, body, session_id, idempotency_key, events } = message;
  const send = (sent: object) => line.send(connectionId, sent);
  if (accessTokens.matches(token) && application_id !== token)
    return send(errorMessage('not_found', OWN_APPLICATION, id));
  const event = requestEvent(
    { method: completeChatRoute.method, path: completeChatRoute.path },
    {
      requestId,
      sourceAddress,
      userAgent,
      origin,
      token,
      pathParameters: { application_id },
      headers: {
        'x-stream-events': events,
        'x-stream-wait': '0',
        ...(session_id !== undefined && { 'x-session-id': session_id }),
        ...(idempotency_key !== undefined && { 'idempotency-key': idempotency_key }),
      },
      body: JSON.stringify({ ...body, stream: true }),
    },
  );
  const gone = new AbortController();
  const stopLooking = every(LOOK_MS, () => {
    // The state of the connection is not always known: the next message shows it.
    line.isOpen(connectionId).then(
      (isOpen) => isOpen || gone.abort(new SocketGone('The client has gone away.')),
      () => undefined,
    );
  });
  const context = { awsRequestId: requestId, getRemainingTimeInMillis, signal: AbortSignal.any([signal, gone.signal]) };
  try {
    await endpoint(event, context, async (response) => {
      if (typeof response.body === 'string') {
        const { error } = JSON.parse(response.body) as { error: { code: string; message: string } };
        return send(errorMessage(error.code, error.message, id));
      }
      const issued = response.headers['x-session-id'];
      if (issued !== undefined) await send(sessionMessage(issued, id));
      for await (const frame of response.body) {
        if (gone.signal.aborted) return;
        for (const sent of toSocketMessages(frame, id)) await send(sent);
      }
    });
  } catch (error) {
    gone.abort(error);
    if (error instanceof SocketGone) return;
    // The client waits for an end in any case.
    await send(errorMessage('internal_error', 'Something went wrong on our side. Send the message again.', id));
    throw error;
  } finally {
    stopLooking();
  }
}
