import { garbage } from './provider-failures.ts';

/** Data of a server-sent event; a provider that sends more at once is broken. */
export const MAX_EVENT_LENGTH = 8 * 1024 * 1024;

export interface ServerSentEvent {
  /** Null: it has none. */
  readonly name: string | null;
  readonly data: string;
}

/** The events of a stream that have data. @throws ModelFailed for an event that is larger than any provider's. */
export async function* serverSentEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  const reading = new LineReader();
  // Pieces of the line that has not ended: joining them for every piece would take quadratic time.
  let rest: string[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    const ended = more.length === 0 ? [] : [rest.join('') + first, ...more.slice(0, -1)];
    if (more.length === 0) rest.push(first);
    else rest = [more.at(-1)!];
    length = (more.length === 0 ? length : 0) + rest.at(-1)!.length;
    if (length > MAX_EVENT_LENGTH) throw garbage();
    for (const line of ended) {
      const event = reading.read(line.replace(/\r$/, ''));
      if (event !== null) yield event;
    }
  }
  // Some servers end without the blank line.
  for (const line of [rest.join('').trim(), '']) {
    const event = reading.read(line);
    if (event !== null) yield event;
  }
}

class LineReader {
  #name: string | null = null;
  #data: string[] = [];

  /** The event that a line ends. */
  read(line: string): ServerSentEvent | null {
    if (line === '') {
      const event = this.#data.length > 0 ? { name: this.#name, data: this.#data.join('\n') } : null;
      this.#name = null;
      this.#data = [];
      return event;
    }
    const [, field = '', value = ''] = /^([a-z]+): ?(.*)$/s.exec(line) ?? [];
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#name = value.trim();
    // llama.cpp names an error by the field, and gateways send theirs as they are.
    else if (field === 'error') return { name: 'error', data: value };
    else if (line.startsWith('{') || line.startsWith('[')) return { name: null, data: line };
    return null;
  }
}
