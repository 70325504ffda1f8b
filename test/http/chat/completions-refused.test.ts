import { describe, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import {
  applicationOn,
  chatRefusalOf,
  complete,
  completionPath,
  contentOf,
  createApplication,
  createToken,
  stream,
  tokensPath,
} from '../../helpers/chat.ts';
import { says } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { changeKey, createWorkspace } from '../../helpers/workspace.ts';
import { useScriptedApplication } from '../../support/scripted-application.ts';

const service = useService();
const UNKNOWN = '0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b';

const { provider, application } = useScriptedApplication(service, { model: { timeout: 2 } });

const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });

describe('bad input', () => {
  it.each([
    ['no messages', { messages: undefined }, 400, 'messages'],
    ['empty messages', { messages: [] }, 400, 'messages: must hold at least one'],
    ['temperature 2.1', { temperature: 2.1 }, 400, 'temperature'],
    ['top_p -1', { top_p: -1 }, 400, 'top_p'],
    ['n 2', { n: 2 }, 400, 'n: must be 1'],
    ['another role', { messages: [{ role: 'robot', content: 'x' }] }, 422, 'messages.0.role'],
    ['no content', { messages: [{ role: 'user' }] }, 400, 'messages.0.content'],
    ['a file id', user([{ type: 'file', file: { file_id: 'file-1' } }]), 422, 'file_data'],
    [
      'image_url as file:',
      user([{ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }]),
      422,
      'https address',
    ],
    ['invalid base64', user([{ type: 'input_audio', input_audio: { data: '!', format: 'wav' } }]), 422, 'base64'],
    ['audio as answer', { modalities: ['audio'] }, 422, 'modalities'],
    ['2 MB of text', user('word '.repeat(400_000)), 400, 'context window holds 128000'],
  ])('%s is refused', async (_, body, status, text) => {
    provider.plays(says('never'));
    const refused = chatRefusalOf(await complete(service, application.id, body));
    expect(refused).toMatchObject({ status, message: expect.stringContaining(text) });
    expect(provider.requests).toEqual([]);
  });

  it('names the field in param', async () => {
    const { json } = await complete(service, application.id, { temperature: 3 });
    expect(json).toMatchObject({ error: { param: 'temperature', type: 'invalid_request_error' } });
  });

  it.each([
    ['{', 'not JSON'],
    ['[]', 'expected object'],
  ])('the body %s is refused', async (raw, text) => {
    const answer = await call(service, 'POST', completionPath(application.id), { raw });
    expect(chatRefusalOf(answer)).toMatchObject({ status: 400, message: expect.stringContaining(text) });
  });

  it('an invalid id is 400; an unknown one, and another workspace’s, 404', async () => {
    expect(chatRefusalOf(await complete(service, 'abc', {}))).toMatchObject({ status: 400 });
    expect(chatRefusalOf(await complete(service, UNKNOWN, {}))).toMatchObject({ status: 404 });
    const other = await createWorkspace();
    const key = { key: other.apiKey };
    expect(chatRefusalOf(await complete(service, application.id, {}, key))).toMatchObject({ status: 404 });
  });

  it('a session id of 10 KB: 400; a workflow without a graph: 400', async () => {
    const headers = { 'x-session-id': 's'.repeat(10_000) };
    expect(chatRefusalOf(await complete(service, application.id, {}, { headers }))).toMatchObject({ status: 400 });
    const { id } = await createApplication(service, { type: 'workflow' });
    expect(chatRefusalOf(await complete(service, id, {}))).toMatchObject({ status: 400 });
  });
});

describe('credentials', () => {
  it('none, a wrong one, one for other services', async () => {
    expect(chatRefusalOf(await complete(service, application.id, {}, { key: null }))).toMatchObject({ status: 401 });
    expect(chatRefusalOf(await complete(service, application.id, {}, { key: 'tpk_x' }))).toMatchObject({ status: 401 });
    const { apiKey, keyId } = await createWorkspace();
    await changeKey(keyId, { scopes: ['sandbox'] });
    expect(chatRefusalOf(await complete(service, application.id, {}, { key: apiKey }))).toMatchObject({ status: 403 });
  });

  it('a public access token in the path needs no other, and a dummy Bearer is ignored', async () => {
    const { token, id } = await createToken(service, application.id);
    provider.plays(says('public'));
    expect(contentOf(await complete(service, token, {}, { key: null }))).toBe('public');
    const headers = { authorization: 'Bearer dummy' };
    expect(contentOf(await complete(service, token, {}, { key: null, headers }))).toBe('public');
    expect((await stream(service, token, {}, { key: null })).text).toBe('public');
    expect((await call(service, 'GET', `/api/v1/chat/${token}/models`, { key: null })).status).toBe(200);
    // It can do nothing else.
    for (const path of ['/api/v1/applications', tokensPath(application.id), '/api/v1/balance'])
      expect((await call(service, 'GET', path, { key: token })).status).toBe(401);
    await call(service, 'DELETE', `${tokensPath(application.id)}/${id}`);
    expect(chatRefusalOf(await complete(service, token, {}, { key: null }))).toMatchObject({ status: 401 });
  });

  it('five requests at once, and no sixth', async () => {
    const { apiKey } = await createWorkspace();
    const asked = await Promise.all([1, 2, 3, 4, 5, 6].map(() => complete(service, UNKNOWN, {}, { key: apiKey })));
    expect(asked.map(({ status }) => status).sort()).toEqual([404, 404, 404, 404, 404, 429]);
    const refused = asked.find(({ status }) => status === 429)!;
    expect(chatRefusalOf(refused)).toMatchObject({ code: 'rate_limited' });
    expect(refused.headers.get('retry-after')).toBe('3');
  });
});

describe('GET /api/v1/chat/{application_id}/models', () => {
  it('lists the model that answers, and finds it by its name', async () => {
    const { id } = await applicationOn(service, provider.baseUrl, { model: { name: 'maker/model 1' } });
    const path = `/api/v1/chat/${id}/models`;
    const model = { id: 'maker/model 1', object: 'model', created: expect.any(Number), owned_by: 'tripod' };
    expect((await call(service, 'GET', path)).json).toEqual({ object: 'list', data: [model] });
    expect((await call(service, 'GET', `${path}/maker%2Fmodel%201`)).json).toEqual(model);
    expect(chatRefusalOf(await call(service, 'GET', `${path}/other`))).toMatchObject({ code: 'model_not_found' });
  });
});

describe('POST /api/v1/chat/completions', () => {
  const PREVIEW = '/api/v1/chat/completions';
  const ask = (body: object, key = service.apiKey) =>
    call(service, 'POST', PREVIEW, { body: { messages: [{ role: 'user', content: 'Hello' }], ...body }, key });

  it('takes the application’s id as model', async () => {
    provider.plays(says('Hi'));
    const headers = { 'x-session-id': 'preview' };
    expect(contentOf(await ask({ model: application.id.toUpperCase() }))).toBe('Hi');
    const streamed = await fetch(service.baseUrl + PREVIEW, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': service.apiKey, ...headers },
      body: JSON.stringify({ model: application.id, stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
    });
    expect(await streamed.text()).toMatch(/"content":"Hi"[\s\S]*data: \[DONE\]\n\n$/);
  });

  it('is 400 for an invalid id, and 404 for an unknown one or another workspace’s', async () => {
    expect(chatRefusalOf(await ask({ model: 'gpt-9' }))).toMatchObject({ status: 400 });
    expect(chatRefusalOf(await ask({}))).toMatchObject({ status: 400 });
    expect(chatRefusalOf(await ask({ model: UNKNOWN }))).toMatchObject({ status: 404 });
    const stranger = await createWorkspace();
    expect(chatRefusalOf(await ask({ model: application.id }, stranger.apiKey))).toMatchObject({ status: 404 });
  });
});
