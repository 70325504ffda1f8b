import { apiFetch } from '../../api/client.ts';
import { serverEvents } from '../../api/server-events.ts';
import type { StreamEvent } from '../../api/stream-event.ts';

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** Asks an application, and gives the events of its answer as they come. @throws Problem, also in the middle of a stream */
export async function* ask(
  applicationId: string,
  messages: readonly Message[],
  sessionId: string,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const response = await apiFetch(
    new Request(`/api/v1/chat/${applicationId}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-stream-events': 'named',
        // The next message can be written at once.
        'x-stream-wait': '0',
        'x-session-id': sessionId,
      },
      body: JSON.stringify({ stream: true, messages }),
      signal,
    }),
  );
  yield* serverEvents(response, signal);
}

/** The text that an event adds to the answer. */
export function pieceOf({ data }: StreamEvent): string {
  const { choices } = data as { choices?: readonly { delta?: { content?: string | null; refusal?: string | null } }[] };
  const delta = choices?.[0]?.delta;
  return delta?.content ?? delta?.refusal ?? '';
}
