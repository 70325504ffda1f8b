import type { LambdaStream } from './lambda-stream.ts';
import type { Frame, HttpResponse } from './reply.ts';

/** Proxies between us and a client close connections that are silent for half a minute. */
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = ': keep-alive\n\n';

/** Writes a response of server-sent events, with its head and to its end. */
export async function writeFrames(
  stream: LambdaStream,
  response: HttpResponse & { readonly body: AsyncIterable<Frame> },
  signal: AbortSignal,
  heartbeatMs = HEARTBEAT_MS,
): Promise<void> {
  stream.begin(response);
  // The head goes out with the first bytes.
  if (response.startsEarly) await stream.write(HEARTBEAT, signal);
  const heartbeat = setInterval(() => void stream.write(HEARTBEAT), heartbeatMs);
  try {
    for await (const frame of response.body) {
      await stream.write(eventText(frame), signal);
      heartbeat.refresh();
    }
    await stream.end();
  } finally {
    clearInterval(heartbeat);
  }
}

/** The lines of an event. @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream */
export function eventText({ event, data }: Frame): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`;
}

export function isFrames(response: HttpResponse): response is HttpResponse & { readonly body: AsyncIterable<Frame> } {
  return typeof response.body !== 'string';
}
