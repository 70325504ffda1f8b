import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { bufferedHandler } from '../../../functions/shared/http/buffered-handler.ts';
import { eventStreamHandler } from '../../../functions/shared/http/event-stream-handler.ts';
import { pipeline } from '../../../functions/shared/http/pipeline.ts';
import { Problem } from '../../../functions/shared/http/problem.ts';
import type { Frame, Reply } from '../../../functions/shared/http/reply.ts';
import { eventText } from '../../../functions/shared/http/write-frames.ts';
import { logger } from '../../../functions/shared/logging.ts';
import type { Handler } from '../../../gateway/handler-modules.ts';
import { installLambdaGlobal } from '../../../gateway/response-stream.ts';
import { type Probe, type ProbeRoute, probeRoute, startProbe } from '../../helpers/probe-gateway.ts';
import { rawConnection } from '../../helpers/raw-http.ts';

let probe: Probe;
/** Observations of the last stream's source. */
let noticed: { aborted: PromiseWithResolvers<void>; closed: PromiseWithResolvers<void> };
let proceed: PromiseWithResolvers<void>;
let logged: object[] = [];

type Replying = (signal: AbortSignal) => Promise<Reply>;

function streamed(path: `/${string}`, reply: Replying, rest: Partial<ProbeRoute> = {}): ProbeRoute {
  const endpoint = pipeline({ ...probeRoute, path, errors: 'openai' }, { authenticators: {} }, ({ signal }) =>
    reply(signal),
  );
  return {
    path,
    errors: 'openai',
    stream: true,
    ...rest,
    run: eventStreamHandler(endpoint, { heartbeatMs: 20 }) as never,
  };
}

/** Yields one frame, and the next on the test's signal; then it would continue for ever. */
async function* talking(signal: AbortSignal): AsyncGenerator<Frame> {
  signal.addEventListener('abort', () => noticed.aborted.resolve());
  try {
    yield { data: { n: 1 } };
    await proceed.promise;
    yield { event: 'node_started', data: { n: 2 } };
    for (;;) {
      await sleep(5, undefined, { signal });
      yield { data: 'x'.repeat(1000) };
    }
  } finally {
    noticed.closed.resolve();
  }
}

async function* failing(error: Error): AsyncGenerator<Frame> {
  yield { data: { n: 1 } };
  throw error;
}

beforeAll(async () => {
  installLambdaGlobal();
  const waiting = pipeline({ ...probeRoute, path: '/waiting' }, { authenticators: {} }, async ({ signal }) => {
    logged = [];
    signal.addEventListener('abort', () => noticed.aborted.resolve());
    proceed.resolve();
    await once(signal, 'abort');
    return { status: 200, body: {} };
  });
  probe = await startProbe([
    streamed('/talk', async (signal) => ({ status: 200, frames: talking(signal), cookies: ['a=1', 'b=2'] })),
    streamed('/whole', async () => ({ status: 200, body: { whole: true } })),
    streamed('/refused', async () => {
      throw new Problem(429, 'rate_limited', 'Not now.');
    }),
    streamed('/fails', async () => ({ status: 200, frames: failing(new Problem(502, 'provider_error', 'No model.')) })),
    streamed('/breaks', async () => ({ status: 200, frames: failing(new Error('hunter2')) })),
    streamed('/silent', async () => ({ status: 200, frames: silent() }), { limits: { timeoutSeconds: 0.5 } }),
    { path: '/waiting', run: bufferedHandler(waiting) as Handler },
  ]);
});
afterAll(() => probe.gateway.stop(0));

async function* silent(): AsyncGenerator<Frame> {
  yield { data: { n: 1 } };
  await new Promise(() => undefined);
}

beforeEach(() => {
  noticed = { aborted: Promise.withResolvers(), closed: Promise.withResolvers() };
  proceed = Promise.withResolvers();
  logged = [];
  vi.spyOn(logger(), 'info').mockImplementation((...line) => void logged.push(line[1] as object));
  vi.spyOn(logger(), 'error').mockImplementation(() => undefined);
});

const get = (path: string, init: RequestInit = {}) => fetch(probe.url + path, init);

describe('a stream of events', () => {
  it('brings every frame as it is made, and comments while there is none', async () => {
    const abort = new AbortController();
    const response = await get('/talk', { signal: abort.signal });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const readUntil = async (end: string) => {
      while (!text.includes(end)) text += (await reader.read()).value;
    };
    await readUntil(': keep-alive\n\n');
    expect(text).toMatch(/^data: \{"n":1\}\n\n(: keep-alive\n\n)+$/);
    expect(logged).toEqual([]);
    proceed.resolve();
    await readUntil('xxx');
    expect(text).toContain('event: node_started\ndata: {"n":2}\n\n');
    abort.abort();
    await expect(reader.read()).rejects.toThrow();
    await vi.waitFor(() => expect(logged).toHaveLength(1));
  });

  it('ends its source when the client goes away, and is logged only then', async () => {
    const abort = new AbortController();
    const response = await get('/talk', { signal: abort.signal });
    await response.body!.getReader().read();
    expect(logged).toEqual([]);
    abort.abort();
    await noticed.aborted.promise;
    // The source still waits for what will not come: it is ended when that has come.
    proceed.resolve();
    await noticed.closed.promise;
    await vi.waitFor(() => expect(logged).toMatchObject([{ status: 200 }]));
  });

  it('is one JSON body when the reply is whole', async () => {
    const response = await get('/whole');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ whole: true });
  });

  it('is an ordinary error when it fails before it starts', async () => {
    const response = await get('/refused');
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({
      code: 429,
      error: { type: 'rate_limit_error', code: 'rate_limited' },
    });
  });

  it.each([
    ['/fails', 'provider_error', 'No model.'],
    ['/breaks', 'provider_error', 'Something went wrong'],
    ['/silent', 'timeout', 'took too long'],
  ])('%s ends with an event that says why: %s', async (path, code, message) => {
    const text = await (await get(path)).text();
    const [first, last, ...rest] = text.replaceAll(': keep-alive\n\n', '').split('\n\n');
    expect([first, ...rest]).toEqual(['data: {"n":1}', 'data: [DONE]', '']);
    const [name, data] = last!.split('\n');
    expect(name).toBe('event: error');
    expect(JSON.parse(data!.slice('data: '.length))).toMatchObject({
      code,
      message: expect.stringContaining(message),
      error: { code, message: expect.stringContaining(message) },
    });
    expect(text).not.toContain('hunter2');
  });
});

it('a buffered endpoint hears that its client has gone away', async () => {
  const { socket } = await rawConnection(probe.url);
  socket.write('GET /waiting HTTP/1.1\r\nHost: x\r\n\r\n');
  await proceed.promise;
  socket.destroy();
  await noticed.aborted.promise;
});

describe('the text of a frame', () => {
  it.each([
    [{ data: '[DONE]' }, 'data: [DONE]\n\n'],
    [{ data: { a: 'x\ny' } }, 'data: {"a":"x\\ny"}\n\n'],
    [
      { event: 'error', data: 'two\nlines\r\nthree\rfour' },
      'event: error\ndata: two\ndata: lines\ndata: three\ndata: four\n\n',
    ],
  ])('%j is %j', (frame, text) => {
    expect(eventText(frame)).toBe(text);
  });
});
