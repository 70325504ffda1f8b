import { Problem, problemOf } from './problem.ts';
import type { StreamEvent } from './stream-event.ts';

/**
 * The events of a response as they come. A lost network ends it at once: the connection alone would stay silent for minutes.
 * @throws Problem, also in the middle of a stream
 */
export async function* serverEvents(response: Response, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  if (!response.ok) throw problemOf(response, await response.json().catch(() => null));
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const lost = Promise.withResolvers<never>();
  const onOffline = () => lost.reject(interrupted());
  lost.promise.catch(() => undefined);
  window.addEventListener('offline', onOffline);
  try {
    yield* parsed(() => Promise.race([reader.read(), lost.promise]), signal);
  } finally {
    window.removeEventListener('offline', onOffline);
    void reader.cancel().catch(() => undefined);
  }
}

async function* parsed(
  read: () => Promise<ReadableStreamReadResult<string>>,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  let rest = '';
  for (;;) {
    const { done, value } = await read().catch((error: unknown) => {
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
