import { describe, expect, it } from 'vitest';
import { EXECUTE_PATH, javascript, sandboxService } from '../../helpers/sandbox.ts';

const service = sandboxService();

interface Event {
  readonly event: string;
  readonly data: Record<string, unknown>;
}

function open(body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(service.baseUrl + EXECUTE_PATH, {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

async function* eventsOf(response: Response): AsyncGenerator<Event> {
  let rest = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      const event = lines.find((line) => line.startsWith('event: '))?.slice(7);
      const data = lines.flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : [])).join('\n');
      if (event !== undefined) yield { event, data: JSON.parse(data) };
    }
  }
}

async function allOf(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const textOf = (events: readonly Event[], name: string) =>
  events.flatMap(({ event, data }) => (event === name ? [data.text as string] : [])).join('');

describe('POST /api/v1/execute with Accept: text/event-stream', () => {
  it('gives output while the program runs: it ends only after its first word was read', async () => {
    const answer = await open(
      javascript(
        'console.log("first\\u2028"); console.error("oh"); setTimeout(() => { console.log("last"); process.exit(3) }, 1500)',
      ),
    );
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const seen: Event[] = [];
    let beforeResult = 0;
    for await (const event of eventsOf(answer)) {
      if (event.event === 'result') beforeResult = seen.length;
      seen.push(event);
    }
    expect(beforeResult).toBe(seen.length - 1);
    expect(seen[0]?.data.text).toContain('first');
    expect(seen[0]?.data.text).not.toContain('last');
    expect(textOf(seen, 'stdout')).toBe('first\u2028\nlast\n');
    expect(textOf(seen, 'stderr')).toBe('oh\n');
    expect(seen.at(-1)?.data).toMatchObject({
      stdout: 'first\u2028\nlast\n',
      stderr: 'oh\n',
      exit_code: 3,
      language: 'javascript',
    });
  });

  it('does not wait for Python to fill its buffer', async () => {
    const code = 'import time\nprint("first")\ntime.sleep(1)\nprint("last")';
    const events = await allOf(eventsOf(await open({ language: 'python', code })));
    const texts = events.filter(({ event }) => event === 'stdout').map(({ data }) => (data as { text: string }).text);
    // Python writes the end of a line by itself.
    expect(texts.join('')).toBe('first\nlast\n');
    expect(texts[0]).toMatch(/^first\n?$/);
    expect(events.at(-1)?.event).toBe('result');
  });

  it('ends with a result of -1 for a timeout and for invalid syntax', async () => {
    const timedOut = await allOf(eventsOf(await open(javascript('console.log(1); for (;;);', { timeout: 1 }))));
    expect(timedOut.at(-1)).toMatchObject({ event: 'result', data: { stdout: '1\n', exit_code: -1 } });
    const invalid = await allOf(eventsOf(await open(javascript('const = 1'))));
    expect(invalid.at(-1)?.data).toMatchObject({
      exit_code: -1,
      stderr: expect.stringMatching(/^Invalid code syntax/),
    });
  });

  it('refuses with a specific status before anything has run', async () => {
    const answer = await open({ language: 'cobol', code: 'x' });
    expect([answer.status, await answer.json()]).toEqual([400, { detail: expect.stringContaining('cobol') }]);
  });

  it('passes on a flood up to a bound, with its result at the end', async () => {
    const flood = javascript(
      'const line = "\\u0001".repeat(65536); for (let i = 0; i < 500; i++) { require("fs").writeSync(1, line); require("fs").writeSync(2, line); }',
    );
    let bytes = 0;
    let last: Event | undefined;
    for await (const event of eventsOf(await open(flood))) {
      if (event.event !== 'result') bytes += (event.data.text as string).length;
      last = event;
    }
    expect(bytes).toBeLessThan(2 * 1024 * 1024 + 1000);
    expect(last).toMatchObject({ event: 'result', data: { exit_code: 0 } });
    expect(JSON.stringify(last).length).toBeLessThan(6_000_000);
  });

  it('ends the program of a client that goes away', async () => {
    const gone = new AbortController();
    const answer = await open(javascript('setInterval(() => console.log("tick"), 20)', { timeout: 100 }), gone.signal);
    for await (const event of eventsOf(answer)) if (event.event === 'stdout') break;
    gone.abort();
    // The runner takes one program at a time; all of them are free again.
    const others = await Promise.all(
      Array.from({ length: 4 }, async () => allOf(eventsOf(await open(javascript('console.log("next")'))))),
    );
    for (const events of others) expect(textOf(events, 'stdout')).toBe('next\n');
  });
});
