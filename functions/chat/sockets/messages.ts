import * as z from 'zod';
import { boundedJson } from '../../shared/bounded-json.ts';
import type { Frame } from '../../shared/http/reply.ts';
import { fittingMessages, type SentMessage } from './fitting-messages.ts';

/** Frames of a WebSocket have at most so much on API Gateway, and browsers send a message as one frame. */
export const MAX_MESSAGE_BYTES = 32 * 1024;

const APPLICATION_ID = 'is needed: the id of the application, or the public access token of the connection';

/** A client's message over a WebSocket. */
export const socketMessage = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('chat'),
      /** The client's own name of the request; every message of its answer bears it. */
      id: z.string().max(100).optional(),
      /** Or a public access token. */
      application_id: z.string(APPLICATION_ID).max(200),
      /** As of POST …/chat/completions; always streamed. */
      body: z.record(z.string(), z.unknown()),
      session_id: z.string().max(255).optional(),
      idempotency_key: z.string().max(255).optional(),
      events: z.enum(['named', 'none']).default('named'),
    }),
    z.strictObject({ type: z.literal('ping'), id: z.string().max(100).optional() }),
  ],
  { error: ({ code }) => (code === 'invalid_union' ? 'type must be "chat" or "ping"' : undefined) },
);
export type ChatMessage = Extract<z.output<typeof socketMessage>, { type: 'chat' }>;

/** The stage of the API that a connection belongs to. */
export interface SocketEndpoint {
  readonly apiId: string;
  readonly stage: string;
}

/** Event of the function that answers a message of a client. */
export interface MessageToAnswer {
  readonly connectionId: string;
  readonly requestId: string;
  readonly endpoint: SocketEndpoint;
  readonly message: ChatMessage;
}

/** @returns the message, or its fault. */
export function readMessage(
  text: string,
): { readonly message: z.output<typeof socketMessage> } | { readonly problem: string } {
  let json: unknown;
  try {
    json = boundedJson(text);
  } catch {
    return { problem: 'The message is not valid JSON.' };
  }
  const { success, data, error } = socketMessage.safeParse(json);
  if (success) return { message: data };
  const [issue] = error.issues;
  return { problem: `${[...issue!.path, ''].join('.').replace(/\.$/, ': ')}${issue!.message}` };
}

/** Converts one event of a stream to the client's messages: one, or as many as needed. */
export function toSocketMessages(frame: Frame, id: string | undefined): readonly object[] {
  return fittingMessages(toSocketMessage(frame, id));
}

/** A message to the client: the events of a stream with their names, `message` for chunks, `done` at the end. */
function toSocketMessage({ event, data }: Frame, id: string | undefined): SentMessage {
  const own = id === undefined ? {} : { id };
  if (data === '[DONE]') return { type: 'done', ...own, data: null };
  if (event === 'error') {
    const { message, code } = data as { message: string; code: string };
    return errorMessage(code, message, id);
  }
  return { type: event ?? 'message', ...own, data };
}

export function errorMessage(code: string, message: string, id: string | undefined): SentMessage {
  return { type: 'error', ...(id !== undefined && { id }), data: { message, code } };
}

/** The message with the id of a visitor's session, like the header X-Session-Id over HTTP. */
export function sessionMessage(sessionId: string, id: string | undefined): object {
  return { type: 'session', ...(id !== undefined && { id }), data: { session_id: sessionId } };
}
