import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProviderRequest {
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>> & { readonly messages: readonly Record<string, unknown>[] };
  /** Resolves when the client's connection is closed before the response has ended. */
  readonly aborted: Promise<void>;
}

/** The provider's behaviour for a request. */
export type Script = (response: ServerResponse, request: ProviderRequest) => void | Promise<void>;

/** A model provider on loopback that speaks OpenAI's wire, by a script for each request. */
export interface ScriptedProvider {
  readonly baseUrl: string;
  readonly requests: ProviderRequest[];
  /** Scripts for the requests that follow, the last one for all that remain. */
  plays(...scripts: readonly Script[]): void;
  stop(): Promise<void>;
}

export async function scriptedProvider(): Promise<ScriptedProvider> {
  let queue: Script[] = [];
  const requests: ProviderRequest[] = [];
  const server = http.createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const aborted = new Promise<void>((resolve) => {
      response.once('close', () => response.writableFinished || resolve());
    });
    const request = { headers: incoming.headers, body: JSON.parse(Buffer.concat(chunks).toString()), aborted };
    requests.push(request);
    const script = queue.length > 1 ? queue.shift() : queue[0];
    await script?.(response, request);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    plays(...scripts) {
      requests.length = 0;
      queue = [...scripts];
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const HEAD = { id: 'up-1', object: 'chat.completion.chunk', created: 1, model: 'upstream' };
export const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };

export const upstreamChunk = (delta: object, finish_reason: string | null = null, rest: object = {}) => ({
  ...HEAD,
  choices: [{ index: 0, delta, finish_reason, ...rest }],
});

/** Sends the given events: an object as a chunk, a text verbatim, a number as a pause in milliseconds. */
export const events =
  (...parts: readonly (object | string | number)[]): Script =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) {
      if (typeof part === 'number') await sleep(part);
      else response.write(typeof part === 'string' ? part : `data: ${JSON.stringify(part)}\n\n`);
    }
    response.end();
  };

const DONE = 'data: [DONE]\n\n';

/** A whole answer, in as many chunks as there are texts. */
export const says = (...texts: readonly string[]): Script =>
  events(
    upstreamChunk({ role: 'assistant', content: '' }),
    ...texts.map((content) => upstreamChunk({ content })),
    upstreamChunk({}, 'stop'),
    { ...HEAD, choices: [], usage: USAGE },
    DONE,
  );

export const callsTool = (name: string, args: string, id = 'call_1'): Script =>
  events(
    upstreamChunk({
      role: 'assistant',
      content: null,
      tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: '' } }],
    }),
    ...(args.match(/.{1,4}/gs) ?? []).map((part) =>
      upstreamChunk({ tool_calls: [{ index: 0, function: { arguments: part } }] }),
    ),
    upstreamChunk({}, 'tool_calls'),
    { ...HEAD, choices: [], usage: USAGE },
    DONE,
  );

export const fails =
  (status: number, error: object = { message: 'no' }, headers: Record<string, string> = {}): Script =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error }));
  };

/** Starts an answer, and breaks the connection. */
export const breaksOff =
  (...texts: readonly string[]): Script =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const content of texts) response.write(`data: ${JSON.stringify(upstreamChunk({ content }))}\n\n`);
    await sleep(50);
    response.destroy();
  };

/** Sends a number of texts, and then nothing for ever. */
export const hangs =
  (...texts: readonly string[]): Script =>
  (response) => {
    if (texts.length === 0) return;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const content of texts) response.write(`data: ${JSON.stringify(upstreamChunk({ content }))}\n\n`);
  };
