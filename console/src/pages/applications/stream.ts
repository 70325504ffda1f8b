import { apiFetch } from '../../api/client.ts';
import { Problem, problemOf } from '../../api/problem.ts';

/** One event of a stream: `type` null is a piece of the answer, in OpenAI's form. */
export interface StreamEvent {
  readonly type: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

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
      headers: { 'content-type': 'application/json', 'x-stream-events': 'named', 'x-session-id': sessionId },
      body: JSON.stringify({ stream: true, messages }),
      signal,
    }),
  );
  if (!response.ok) throw problemOf(response, await response.json().catch(() => null));
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      if (signal.aborted) throw error;
      throw interrupted();
    });
    if (done) throw interrupted();
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      const type = lines.find((line) => line.startsWith('event: '))?.slice(7) ?? null;
      const text = lines.flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : [])).join('\n');
      if (text === '[DONE]') return;
      if (text === '') continue;
      const data = JSON.parse(text) as StreamEvent['data'];
      if (type === 'error') throw new Problem(502, String(data.code ?? ''), String(data.message ?? ''));
      yield { type, data };
    }
  }
}

const interrupted = () => new Problem(0, 'interrupted', 'The connection was lost in the middle of the answer.');

/** The text that an event adds to the answer. */
export function pieceOf({ data }: StreamEvent): string {
  const { choices } = data as { choices?: readonly { delta?: { content?: string | null; refusal?: string | null } }[] };
  const delta = choices?.[0]?.delta;
  return delta?.content ?? delta?.refusal ?? '';
}
