import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { EmbeddingsByProvider } from '../../../../functions/adapters/knowledge/embeddings-by-provider.ts';
import { SafeFetch } from '../../../../functions/adapters/web/safe-fetch.ts';
import type { EmbeddingConfig } from '../../../../functions/knowledge/domain/knowledge-base.ts';

/** Handles a request for vectors of the texts. */
type Handler = (texts: readonly string[], response: ServerResponse) => void;

let handle: Handler;
let asked: (readonly string[])[];
let config: EmbeddingConfig;
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
  asked.push(input);
  handle(input, response);
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  config = { provider: 'openai-compatible', model: 'm', baseUrl, apiKey: null, dimensions: null };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
});

/** A vector whose direction says which text it belongs to. */
const vectorOf = (text: string): readonly number[] => [Math.cos(Number(text)), Math.sin(Number(text))];
const answer: Handler = (texts, response) => {
  const data = texts.map((text, index) => ({ index, embedding: vectorOf(text) }));
  response.end(JSON.stringify({ data }));
};
const refuse = (response: ServerResponse, status: number) => void response.writeHead(status).end();

const web = new SafeFetch({ field: 'embedding.base_url', allowLoopback: true });
const secrets = { open: async () => 'none' };
const BASE = { workspaceId: 'w', baseId: 'b' };
const TEXTS = Array.from({ length: 100 }, (_, index) => String(index));

function embed(
  texts: readonly string[],
  purpose: 'passage' | 'question',
  { timeoutMs = 300, signal = new AbortController().signal } = {},
) {
  const embeddings = new EmbeddingsByProvider({ web, secrets, timeoutMs, waitMs: 1 });
  return embeddings.embed({ base: BASE, config }, texts, purpose, signal);
}

function expectVectors(made: readonly Float32Array[]) {
  expect(made).toHaveLength(TEXTS.length);
  for (const [index, vector] of made.entries())
    expect([...vector]).toEqual(vectorOf(TEXTS[index]!).map((each) => expect.closeTo(each, 5)));
}

it('asks for batches that do not come in time again by halves, and for no text whose vector has come', async () => {
  const answered = new Map<string, number>();
  handle = (texts, response) => {
    // This server never answers more than ten texts.
    if (texts.length > 10) return;
    for (const text of texts) answered.set(text, (answered.get(text) ?? 0) + 1);
    answer(texts, response);
  };
  expectVectors(await embed(TEXTS, 'passage'));
  expect([...answered.values()].every((times) => times === 1)).toBe(true);
});

it('keeps the vectors of other batches when one of them is too slow once', async () => {
  let isSlow = true;
  handle = (texts, response) => {
    if (texts.includes('40') && isSlow) {
      isSlow = false;
      return;
    }
    answer(texts, response);
  };
  // Long enough for the others also on a busy machine.
  expectVectors(await embed(TEXTS, 'passage', { timeoutMs: 3_000 }));
  expect(asked.filter((texts) => texts.includes('0'))).toHaveLength(1);
  expect(asked.filter((texts) => texts.includes('99'))).toHaveLength(1);
});

it('halves batches that a server finds too large', async () => {
  handle = (texts, response) => (texts.length > 8 ? refuse(response, 413) : answer(texts, response));
  expectVectors(await embed(TEXTS, 'passage'));
});

it('tries texts again after a failure that passes, three times in all', async () => {
  let left = 2;
  handle = (texts, response) => (left-- > 0 ? refuse(response, 503) : answer(texts, response));
  expectVectors(await embed(TEXTS, 'passage'));
  handle = (_, response) => refuse(response, 429);
  asked = [];
  await expect(embed(['1'], 'passage')).rejects.toMatchObject({ isPassing: true });
  expect(asked).toHaveLength(3);
});

it('gives up a text that is too slow alone, as a failure that passes', async () => {
  handle = (texts, response) => {
    if (!texts.includes('50')) answer(texts, response);
  };
  await expect(embed(TEXTS, 'passage')).rejects.toMatchObject({ isPassing: true, message: /not read to its end/ });
});

it('asks once for the vector of a question', async () => {
  handle = (_, response) => refuse(response, 503);
  await expect(embed(['1'], 'question')).rejects.toMatchObject({ isPassing: true });
  expect(asked).toHaveLength(1);
});

it('does not retry a failure that another attempt cannot fix', async () => {
  handle = (_, response) => refuse(response, 401);
  await expect(embed(['1'], 'passage')).rejects.toMatchObject({ isPassing: false });
  expect(asked).toHaveLength(1);
});

it('stops at once when its caller does', async () => {
  const caller = new AbortController();
  handle = () => caller.abort(new Error('enough'));
  await expect(embed(TEXTS, 'passage', { signal: caller.signal })).rejects.toThrow('enough');
  expect(asked.length).toBeLessThanOrEqual(4);
});
