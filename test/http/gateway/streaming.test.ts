import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Handler } from '../../../gateway/handler-modules.ts';
import { installLambdaGlobal } from '../../../gateway/response-stream.ts';
import { type Probe, startProbe } from '../../helpers/probe-gateway.ts';

let probe: Probe;
let proceed: () => void;
let written: number;
let answered: () => void;
let finished = false;
const late = new Promise<void>((resolve) => {
  answered = resolve;
});

const streaming = (run: (event: object, stream: Writable) => Promise<void>): Handler =>
  awslambda.streamifyResponse((event: object, stream) => run(event, stream)) as unknown as Handler;

beforeAll(async () => {
  installLambdaGlobal();
  const from = (stream: Writable, metadata: Record<string, unknown>) =>
    awslambda.HttpResponseStream.from(stream, metadata);
  probe = await startProbe([
    {
      path: '/events',
      run: streaming(async (_, raw) => {
        const stream = from(raw, {
          statusCode: 201,
          headers: { 'content-type': 'text/event-stream' },
          multiValueHeaders: { 'x-many': ['1', '2'] },
          cookies: ['a=1', 'b=2'],
        });
        const go = new Promise<void>((resolve) => {
          proceed = resolve;
        });
        stream.write('data: first\n\n');
        await go;
        stream.write('data: 두 번째\n\n');
        stream.end();
      }),
    },
    { path: '/head-only', run: streaming(async (_, raw) => void from(raw, { statusCode: 204 }).end()) },
    { path: '/fails-early', run: streaming(async () => Promise.reject(new Error('before any byte'))) },
    {
      path: '/fails-late',
      run: streaming(async (_, raw) => {
        const stream = from(raw, { statusCode: 200 });
        stream.write('half an ans');
        await sleep(20);
        throw new Error('after some bytes');
      }),
    },
    { path: '/never', limits: { timeoutSeconds: 0.05 }, run: streaming(() => new Promise(() => undefined)) },
    {
      path: '/too-late',
      limits: { timeoutSeconds: 0.05 },
      run: streaming(async (_, raw) => {
        await late;
        const stream = from(raw, { statusCode: 200 });
        stream.write('no one hears this');
        stream.end();
        await once(stream, 'finish');
        finished = true;
      }),
    },
    {
      path: '/large',
      run: streaming(async (_, raw) => {
        const stream = from(raw, { statusCode: 200 });
        written = 0;
        for (let n = 0; n < 200; n += 1) {
          if (!stream.write(Buffer.alloc(64 * 1024, 120))) await once(stream, 'drain');
          written += 1;
        }
        stream.end();
        await once(stream, 'finish');
      }),
    },
  ]);
});

afterAll(() => probe.gateway.stop(0));
afterEach(() => vi.restoreAllMocks());

it('passes on the head and every part as soon as it is written', async () => {
  const response = await fetch(`${probe.url}/events`);
  expect(response.status).toBe(201);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('x-many')).toBe('1, 2');
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(response.headers.get('x-request-id')).not.toBeNull();
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  // Nothing but the first part exists yet: had the gateway waited for the whole, this read would wait for ever.
  expect((await reader?.read())?.value).toBe('data: first\n\n');
  proceed();
  expect((await reader?.read())?.value).toBe('data: 두 번째\n\n');
  expect((await reader?.read())?.done).toBe(true);
});

it('sends a head without a body', async () => {
  expect((await fetch(`${probe.url}/head-only`)).status).toBe(204);
});

it('answers 502 when the handler fails before its first byte', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  expect((await fetch(`${probe.url}/fails-early`)).status).toBe(502);
});

it('answers 504 when nothing was written in time', async () => {
  expect((await fetch(`${probe.url}/never`)).status).toBe(504);
});

it('lets a handler finish unheard that writes after its time has run out', async () => {
  expect((await fetch(`${probe.url}/too-late`)).status).toBe(504);
  answered();
  await vi.waitFor(() => expect(finished).toBe(true));
});

it('breaks the connection when the handler fails later, so that half an answer is not taken for a whole one', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const response = await fetch(`${probe.url}/fails-late`);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

it('writes no faster than the client reads, and everything in the end', async () => {
  const response = await fetch(`${probe.url}/large`);
  await sleep(100);
  expect(written).toBeLessThan(200);
  expect((await response.arrayBuffer()).byteLength).toBe(200 * 64 * 1024);
});

it('lets the handler finish when its client goes away', async () => {
  const abort = new AbortController();
  const response = await fetch(`${probe.url}/large`, { signal: abort.signal });
  abort.abort();
  await expect(response.arrayBuffer()).rejects.toThrow();
  await vi.waitFor(() => expect(written).toBe(200));
});
