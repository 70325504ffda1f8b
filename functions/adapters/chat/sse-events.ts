import { garbage } from './provider-failures.ts';

/** Data of a server-sent event; a provider that sends more at once is broken. */
export const MAX_EVENT_LENGTH = 8 * 1024 * 1024;

/** The data of each event of a stream. @throws ModelFailed for an event that is larger than any provider's. */
export async function* eventData(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // Pieces of the line that has not ended: joining them for every piece would take quadratic time.
  let rest: string[] = [];
  let length = 0;
  let data: string[] = [];
  for await (const chunk of bytes) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    const ended = more.length === 0 ? [] : [rest.join('') + first, ...more.slice(0, -1)];
    if (more.length === 0) rest.push(first);
    else rest = [more.at(-1)!];
    length = (more.length === 0 ? length : 0) + rest.at(-1)!.length;
    if (length > MAX_EVENT_LENGTH) throw garbage();
    for (const each of ended) {
      const line = each.replace(/\r$/, '');
      if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
      else if (line === '' && data.length > 0) {
        yield data.join('\n');
        data = [];
      }
    }
  }
  const last = rest.join('');
  // Some servers end without the blank line.
  if (last.startsWith('data:')) data.push(last.slice(5).trim());
  if (data.length > 0) yield data.join('\n');
}
