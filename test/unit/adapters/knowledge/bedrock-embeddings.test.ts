import { once } from 'node:events';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { bedrockEmbeddings } from '../../../../functions/adapters/knowledge/bedrock-embeddings.ts';
import { EmbeddingFailed } from '../../../../functions/knowledge/domain/embeddings.ts';

const TITAN = { model: 'amazon.titan-embed-text-v2:0', dimensions: 256 };
const COHERE = { model: 'cohere.embed-multilingual-v3', dimensions: null };

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: http2.IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

type Answer = { readonly status: number; readonly body: object | string; readonly type?: string };

/** Bedrock's answer to InvokeModel, as a function of the input; null: no answer. */
let answer: (asked: Asked) => Answer | null;
let asked: Asked[];
let client: BedrockRuntimeClient;
const sessions = new Set<http2.ServerHttp2Session>();
// The SDK speaks HTTP/2 with Bedrock.
const server = http2.createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Asked['body'];
  const seen = { method: request.method, path: decodeURIComponent(request.url), headers: request.headers, body };
  asked.push(seen);
  const given = answer(seen);
  if (given === null) return;
  const type = given.type === undefined ? {} : { 'x-amzn-errortype': given.type };
  response.writeHead(given.status, { 'content-type': 'application/json', ...type });
  response.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body));
});
server.on('session', (session) => sessions.add(session));

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = new BedrockRuntimeClient({
    region: 'ap-northeast-2',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
  });
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  client.destroy();
  for (const session of sessions) session.destroy();
  await new Promise((closed) => server.close(closed));
});

const embed = (
  config: typeof TITAN | typeof COHERE,
  texts: readonly string[],
  purpose: 'passage' | 'question' = 'passage',
  signal = new AbortController().signal,
) => bedrockEmbeddings(config, texts, purpose, signal, client);

async function failureOf(work: Promise<unknown>): Promise<EmbeddingFailed> {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(EmbeddingFailed);
  return error as EmbeddingFailed;
}

it('asks Titan for each text, signed, and gives the vectors in the order of the texts', async () => {
  const lengthOf = (body: Asked['body']) => String(body.inputText).length;
  answer = ({ body }) => ({ status: 200, body: { embedding: [lengthOf(body), 0.5], inputTextTokenCount: 1 } });
  expect(await embed(TITAN, ['a', 'bbb', 'cc'])).toEqual([
    [1, 0.5],
    [3, 0.5],
    [2, 0.5],
  ]);
  expect(asked.map(({ method, path }) => [method, path])).toEqual(
    Array(3).fill(['POST', '/model/amazon.titan-embed-text-v2:0/invoke']),
  );
  expect(asked.map(({ body }) => body)).toContainEqual({ inputText: 'bbb', dimensions: 256 });
  expect(asked[0]!.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=a\//);
});

it.each([
  ['passage', 'search_document'],
  ['question', 'search_query'],
] as const)('asks Cohere for all texts of a %s at once, as %s', async (purpose, inputType) => {
  answer = () => ({ status: 200, body: { embeddings: [[1], [2]], id: 'x', texts: ['가', '나'] } });
  expect(await embed(COHERE, ['가', '나'], purpose)).toEqual([[1], [2]]);
  expect(asked.map(({ body }) => body)).toEqual([{ texts: ['가', '나'], input_type: inputType, truncate: 'END' }]);
});

it.each([
  [429, 'ThrottlingException', true],
  [503, 'ServiceUnavailableException', true],
  [500, 'InternalServerException', true],
  [408, 'ModelTimeoutException', true],
  [403, 'AccessDeniedException', false],
  [400, 'ValidationException', false],
  [404, 'ResourceNotFoundException', false],
])('of the status %i, %s, it is said whether it passes', async (status, type, isPassing) => {
  answer = () => ({ status, type, body: { message: 'Because.' } });
  const failure = await failureOf(embed(TITAN, ['a']));
  expect(failure.isPassing).toBe(isPassing);
  expect(failure.message).toContain(type);
  expect(failure.message).toContain('Because.');
});

it.each([
  ['no vector', { other: 1 }],
  ['a vector of texts', { embedding: ['a'] }],
  ['no JSON', 'vectors'],
])('an answer with %s is a failure that does not pass', async (_, body) => {
  answer = () => ({ status: 200, body });
  expect((await failureOf(embed(TITAN, ['a']))).isPassing).toBe(false);
});

it('an aborted call rejects with its reason, and waits for no answer', async () => {
  answer = () => null;
  const leaving = new AbortController();
  const working = embed(TITAN, ['a'], 'question', leaving.signal);
  await expect.poll(() => asked.length).toBe(1);
  leaving.abort(new Error('The client has gone away.'));
  await expect(working).rejects.toThrow('The client has gone away.');
});
