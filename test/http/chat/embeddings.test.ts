import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dynamoClient } from '../../../functions/adapters/dynamodb/client.ts';
import { environment } from '../../../functions/shared/environment.ts';
import { call } from '../../helpers/api.ts';
import { complete, contentOf, createApplication, refusalOf } from '../../helpers/chat.ts';
import { BASES_PATH, createBase, documentPath, indexText, search } from '../../helpers/knowledge.ts';
import { useService } from '../../helpers/service.ts';
import { type ToolServer, toolServer } from '../../helpers/tool-servers.ts';

const service = useService();

/** Words that mean the same have nothing in common but the direction of their vector. */
const CONCEPTS = [/환불|돌려받|refund|money back/i, /배송|parcel|택배/i, /보관|냉장고/i];
const KEY = 'sk-of-the-embedding-server';

let server: ToolServer;
/** Status of the server's next responses; null: vectors. */
let failure: number | null = null;
beforeAll(async () => {
  server = await toolServer(async (request, response) => {
    if (failure !== null) {
      response.writeHead(failure, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ error: { message: `no ${KEY}` } }));
    }
    const { input, dimensions = 4 } = (await request.json()) as { input: string[]; dimensions?: number };
    const data = input.map((text, index) => {
      const vector = CONCEPTS.map((concept) => (concept.test(text) ? 3 : 0.1));
      return { object: 'embedding', index, embedding: [...vector, ...Array(dimensions - 3).fill(0.2)] };
    });
    response.writeHead(200, { 'content-type': 'application/json' });
    // In another order than that of the texts: the index is what counts.
    response.end(JSON.stringify({ object: 'list', data: data.reverse(), model: 'concepts' }));
  });
});
afterAll(() => server.stop());
beforeEach(() => {
  failure = null;
  server.requests.length = 0;
});

const embedding = (more: object = {}) => ({
  ...{ provider: 'openai-compatible', model: 'concepts', base_url: `${server.url}/v1/`, api_key: KEY },
  ...more,
});
const REFUND = '환불은 결제한 날부터 7일 안에 신청할 수 있습니다.';
const PARCEL = '택배는 이틀 안에 도착합니다.';

it('texts reach the model after the prefixes that the base sets', async () => {
  const prefixes = { query_prefix: 'query: ', passage_prefix: 'passage: ' };
  const base = await createBase(service, { embedding: embedding(prefixes) });
  expect(base.embedding).toMatchObject(prefixes);
  await indexText(service, base.id, REFUND, { title: '환불' });
  expect(await search(service, base.id, '돌려받을 수 있나요?')).toMatchObject([{ title: '환불' }]);
  const inputs = server.requests.map(({ body }) => (JSON.parse(body) as { input: string[] }).input);
  expect(inputs).toEqual([[`passage: 환불\n${REFUND}`], ['query: 돌려받을 수 있나요?']]);
});

it('a base with a model is searched by meaning as well as by terms', async () => {
  const base = await createBase(service, { embedding: embedding() });
  expect(base.embedding).toEqual({
    ...{ provider: 'openai-compatible', model: 'concepts', base_url: `${server.url}/v1`, has_api_key: true },
    ...{ dimensions: null, query_prefix: null, passage_prefix: null },
  });
  const plain = await createBase(service);
  expect(plain.embedding).toBeNull();
  for (const { id } of [base, plain])
    for (const [title, text] of [
      ['환불', REFUND],
      ['택배', PARCEL],
    ] as const)
      expect(await indexText(service, id, text, { title })).toMatchObject({ status: 'ready' });
  expect(server.requests).toHaveLength(2);
  expect(server.requests[0]).toMatchObject({ url: '/v1/embeddings', headers: { authorization: `Bearer ${KEY}` } });

  // No term of it is in any document.
  const question = 'Can I get my money back?';
  expect(await search(service, plain.id, question)).toEqual([]);
  const [best, second] = await search(service, base.id, question);
  expect([best!.text, best!.score > second!.score]).toEqual([REFUND, true]);
  // First by terms and by vectors.
  expect((await search(service, base.id, '환불 신청'))[0]).toMatchObject({ text: REFUND, score: 1 });

  const { id } = await createApplication(service, { config: { knowledge_bases: [base.id] } });
  const messages = [{ role: 'user', content: '결제 환불 신청' }];
  expect(contentOf(await complete(service, id, { messages }))).toContain('7일');
  await call(service, 'DELETE', documentPath(base.id, best!.document_id));
  expect((await search(service, base.id, question)).map(({ text }) => text)).toEqual([PARCEL]);
});

it('keeps its vectors when small indexes are merged', async () => {
  const { id } = await createBase(service, { embedding: embedding({ dimensions: 8 }) });
  for (let n = 0; n < 12; n++) await indexText(service, id, `글 ${n}: ${n === 7 ? REFUND : '다른 이야기'}`);
  expect(JSON.parse(server.requests[0]!.body)).toMatchObject({ dimensions: 8 });
  const [best] = await search(service, id, 'money back');
  expect(best!.text).toContain('환불');
});

it('is searched by terms while its model does not answer', async () => {
  const { id } = await createBase(service, { embedding: embedding() });
  await indexText(service, id, REFUND);
  failure = 500;
  expect((await search(service, id, '환불 신청')).map(({ text }) => text)).toEqual([REFUND]);
  expect(await search(service, id, 'money back')).toEqual([]);
});

it('a document whose vectors are refused fails with the reason, and without the key', async () => {
  const { id } = await createBase(service, { embedding: embedding() });
  failure = 401;
  const document = await indexText(service, id, REFUND);
  expect(document).toMatchObject({ status: 'failed', failure: { code: 'embedding_failed' } });
  expect(document.failure!.message).toContain('refuses the api_key');
  failure = null;
  const tooLong = await createBase(service, { embedding: embedding({ dimensions: 1024, model: 'long' }) });
  expect((await indexText(service, tooLong.id, REFUND)).status).toBe('ready');
});

it.each([
  [422, { provider: 'openai-compatible', model: 'm' }, /base_url/],
  [422, { provider: 'bedrock', model: 'amazon.titan-embed-text-v2:0', api_key: 'k' }, /api_key/],
  [422, { provider: 'bedrock', model: 'amazon.titan-embed-text-v2:0', query_prefix: 'q: ' }, /query_prefix/],
  [422, { provider: 'openai-compatible', model: 'm', base_url: 'https://10.0.0.1/v1' }, /embedding\.base_url/],
  [422, { provider: 'openai-compatible', model: 'm', base_url: 'http://example.com/v1' }, /embedding\.base_url/],
  [422, { provider: 'elsewhere', model: 'm' }, /provider/],
])('%i for %j', async (status, refused, message) => {
  const answer = await call(service, 'POST', BASES_PATH, { body: { name: 'x', embedding: refused } });
  expect(refusalOf(answer)).toEqual([status, expect.stringMatching(message)]);
});

it('stores no key that can be read', async () => {
  await createBase(service, { embedding: embedding() });
  const { KNOWLEDGE_TABLE } = environment('KNOWLEDGE_TABLE');
  const { Items = [] } = await dynamoClient().send(new ScanCommand({ TableName: KNOWLEDGE_TABLE }));
  expect(JSON.stringify(Items)).toContain('concepts');
  expect(JSON.stringify(Items)).not.toContain(KEY);
});

describe('POST …/embeddings of an application', () => {
  const client = (application: string, apiKey = service.apiKey) =>
    new OpenAI({ baseURL: `${service.baseUrl}/api/v1/chat/${application}/v1`, apiKey, maxRetries: 0 });

  it('makes vectors by the model of its knowledge base, in either encoding', async () => {
    const { id: base } = await createBase(service, { embedding: embedding() });
    const { id } = await createApplication(service, { config: { knowledge_bases: [base] } });
    const input = [REFUND, PARCEL];
    // The client asks for base64 by itself.
    const { data, model, usage } = await client(id).embeddings.create({ model: 'any', input });
    const floats = await client(id).embeddings.create({ model: 'any', input, encoding_format: 'float' });
    expect(model).toBe('concepts');
    expect(data.map(({ index }) => index)).toEqual([0, 1]);
    for (const [index, { embedding: vector }] of data.entries()) {
      expect(vector).toHaveLength(4);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      expect([...vector]).toEqual(floats.data[index]!.embedding);
    }
    expect(data[0]!.embedding[0]).toBeGreaterThan(data[1]!.embedding[0]!);
    expect(usage.total_tokens).toBeGreaterThan(0);
  });

  it('reports missing members, and options that the model does not support', async () => {
    const { id: bare } = await createApplication(service);
    const input = 'Hello';
    await expect(client(bare).embeddings.create({ model: 'any', input })).rejects.toMatchObject({
      ...{ status: 404, code: 'embedding_model_not_found' },
    });
    const { id: base } = await createBase(service, { embedding: embedding() });
    const { id } = await createApplication(service, { config: { knowledge_bases: [base] } });
    await expect(client(id).embeddings.create({ model: 'any', input, dimensions: 7 })).rejects.toMatchObject({
      ...{ status: 400, message: expect.stringContaining('vectors of 4 numbers') },
    });
    failure = 401;
    await expect(client(id).embeddings.create({ model: 'any', input })).rejects.toMatchObject({
      ...{ status: 502, code: 'provider_error', message: expect.not.stringContaining(KEY) },
    });
  });
});
