import { type Agent, request } from 'node:http';

/** Where chat completions are asked for. */
export interface ChatTarget {
  /** Up to /chat/completions. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly model: string;
}

export interface Script {
  /** Pause of the upstream before its first token. */
  readonly firstMs: number;
  readonly tokens: number;
  /** Its pause before each token. */
  readonly restMs: number;
}

export interface TimedStream {
  readonly firstByteMs: number;
  readonly wholeMs: number;
  /** Events that carry a token. */
  readonly tokens: number;
  /** True when it ended with [DONE]. */
  readonly isWhole: boolean;
}

/** Reads one stream to its end. @param onBegun called when its answer starts. @throws Error for an answer other than 200 */
export function timedStream(
  { url, headers, model }: ChatTarget,
  script: Script,
  agent: Agent,
  onBegun: () => void = () => undefined,
): Promise<TimedStream> {
  const body = JSON.stringify({
    model,
    stream: true,
    messages: [{ role: 'user', content: JSON.stringify(script) }],
  });
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/chat/completions`,
      {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
      },
      (response) => {
        onBegun();
        let firstByteMs = 0;
        let tokens = 0;
        let isWhole = false;
        let rest = '';
        response.setEncoding('utf8');
        response.on('data', (text: string) => {
          firstByteMs ||= performance.now() - begun;
          const events = (rest + text).split('\n\n');
          rest = events.pop()!;
          for (const event of events) {
            if (event.includes('"content":"token "')) tokens += 1;
            isWhole ||= event === 'data: [DONE]';
          }
        });
        const end = () => {
          const timed = { firstByteMs, wholeMs: performance.now() - begun, tokens, isWhole };
          if (response.statusCode === 200) resolve(timed);
          else reject(new Error(`${url} answered ${response.statusCode}: ${rest}`));
        };
        response.once('end', end).once('error', end);
      },
    );
    sent.once('error', reject).end(body);
  });
}
