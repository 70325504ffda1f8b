import { apiFetch } from '../../api/client.ts';
import { serverEvents } from '../../api/server-events.ts';
import type { Result } from './files.tsx';

export type ExecutionEvent =
  | { readonly kind: 'stdout' | 'stderr'; readonly text: string }
  | { readonly kind: 'result'; readonly result: Result };

/** Runs a program, and gives its output as it writes it; the result is last. @throws Problem */
export async function* execute(body: object, signal: AbortSignal): AsyncGenerator<ExecutionEvent> {
  const response = await apiFetch(
    new Request('/api/v1/execute', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(body),
      signal,
    }),
  );
  for await (const { type, data } of serverEvents(response, signal)) {
    if (type === 'stdout' || type === 'stderr') yield { kind: type, text: String(data.text) };
    if (type !== 'result') continue;
    yield { kind: 'result', result: data as Result };
    return;
  }
}
