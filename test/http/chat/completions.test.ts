import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { messageTokens } from '../../../functions/chat/domain/tokens.ts';
import { call } from '../../helpers/api.ts';
import {
  applicationOn,
  chatRefusalOf,
  complete,
  completionOf,
  completionPath,
  contentOf,
  createApplication,
  createToken,
  PROVIDER_KEY,
  type ShownApplication,
  sendStream,
  stream,
  tokensPath,
} from '../../helpers/chat.ts';
import { refillLimits } from '../../helpers/limits.ts';
import {
  breaksOff,
  callsTool,
  events,
  fails,
  hangs,
  type ScriptedProvider,
  says,
  scriptedProvider,
  USAGE,
  upstreamChunk,
} from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { changeKey, createWorkspace } from '../../helpers/workspace.ts';

const service = useService();
const UNKNOWN = '0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b';
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let provider: ScriptedProvider;
let application: ShownApplication;
beforeAll(async () => {
  provider = await scriptedProvider();
  application = await applicationOn(service, provider.baseUrl, { model: { timeout: 2 } });
});
afterAll(() => provider.stop());
beforeEach(refillLimits);

const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });
const sent = () => provider.requests[0]!.body;

describe('a whole answer', () => {
  it('has the published shape, and the application’s model', async () => {
    provider.plays(says('Hello', ' there'));
    const completion = completionOf(await complete(service, application.id, { model: 'gpt-9' }));
    expect(completion).toEqual({
      id: expect.stringMatching(/^chatcmpl-\w+$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'test-model',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello there', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: USAGE,
    });
    expect(provider.requests[0]!.headers.authorization).toBe(`Bearer ${PROVIDER_KEY}`);
    expect(sent()).toMatchObject({ model: 'test-model', stream: true, temperature: 0.7 });
  });

  it('is asked for with the application’s prompt and limits, and what the request says otherwise', async () => {
    const config = { system_prompt: 'Be brief.', temperature: null, max_tokens: 100 };
    const { id } = await applicationOn(service, provider.baseUrl, config);
    provider.plays(says('ok'));
    await complete(service, id, { max_tokens: 500 });
    expect(sent()).toMatchObject({ max_tokens: 100 });
    expect(sent()).not.toHaveProperty('temperature');
    expect(sent().messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ]);
    provider.plays(says('ok'));
    await complete(service, id, { temperature: 0, max_tokens: 500, max_completion_tokens: 50, stop: 'END' });
    expect(sent()).toMatchObject({ temperature: 0, max_tokens: 50, stop: ['END'] });
  });

  it('takes the whole surface of requests: null is absent, unknown members are ignored', async () => {
    provider.plays(says('ok'));
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' }, strict: true } }];
    const body = {
      messages: [
        { role: 'developer', content: [{ type: 'text', text: 'rules' }] },
        { role: 'user', content: 'q', name: 'ann' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: '42' },
      ],
      tools,
      ...{ tool_choice: { type: 'function', function: { name: 'f' } }, parallel_tool_calls: false, seed: 1 },
      ...{ logprobs: true, top_logprobs: 2, presence_penalty: -2, frequency_penalty: 2, logit_bias: { 50: 1 } },
      ...{ reasoning_effort: 'low', user: 'u', metadata: { a: 'b' }, store: false, service_tier: 'auto', n: null },
      response_format: { type: 'json_schema', json_schema: { name: 's', strict: true, schema: { type: 'object' } } },
      ...{ stop: null, stream: null, stream_options: null, max_tokens: null, start_node_inputs: { a: 1 }, vendor: {} },
    };
    completionOf(await complete(service, application.id, body));
    expect(sent()).toMatchObject({
      ...{ tools, tool_choice: body.tool_choice, parallel_tool_calls: false, seed: 1, logprobs: true, top_logprobs: 2 },
      ...{
        reasoning_effort: 'low',
        logit_bias: { 50: 1 },
        response_format: body.response_format,
        messages: [{ role: 'system', content: 'rules' }, ...body.messages.slice(1)],
      },
    });
    expect(sent()).not.toHaveProperty('vendor');
  });

  it('carries reasoning, refusals, log probabilities and tool calls', async () => {
    provider.plays(
      events(
        upstreamChunk({ role: 'assistant', reasoning_content: 'hm' }),
        upstreamChunk({ content: 'a' }, null, {
          logprobs: { content: [{ token: 'a', logprob: -1, bytes: null, top_logprobs: [] }] },
        }),
        upstreamChunk({ refusal: 'no' }),
        upstreamChunk({}, 'length'),
      ),
    );
    expect(completionOf(await complete(service, application.id, {})).choices[0]).toMatchObject({
      message: { content: 'a', refusal: 'no', reasoning_content: 'hm' },
      logprobs: { content: [{ token: 'a' }] },
      finish_reason: 'length',
    });
    provider.plays(callsTool('weather', '{"city":"Seoul"}'));
    expect(completionOf(await complete(service, application.id, {})).choices[0]).toMatchObject({
      message: {
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Seoul"}' } }],
      },
      finish_reason: 'tool_calls',
    });
  });

  it('of a server that does not stream is taken all the same', async () => {
    provider.plays((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ choices: [{ message: { content: 'whole' }, finish_reason: 'stop' }], usage: USAGE }),
      );
    });
    expect(contentOf(await complete(service, application.id, {}))).toBe('whole');
  });

  it('numbers tool calls from 0, for any numbering of the provider', async () => {
    const delta = (index: number, id: string) => ({
      index,
      id,
      type: 'function',
      function: { name: id, arguments: '{}' },
    });
    provider.plays(
      events(
        upstreamChunk({ tool_calls: [delta(1, 'a'), delta(3, 'b')] }),
        upstreamChunk({ tool_calls: [delta(3, 'c')] }, 'tool_calls'),
      ),
    );
    const { message } = completionOf(await complete(service, application.id, {})).choices[0]!;
    expect(message.tool_calls!.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });
});

describe('a stream', () => {
  it('is a role, texts, a finish and [DONE]', async () => {
    provider.plays(says('Hel', 'lo'));
    const { chunks, text, headers, events: all } = await stream(service, application.id, {});
    expect(text).toBe('Hello');
    expect(chunks[0]!.choices[0]!.delta).toEqual({ role: 'assistant', content: '' });
    expect(chunks.at(-1)!.choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' });
    expect(chunks.every(({ usage, event }) => usage === undefined && event === undefined)).toBe(true);
    expect(all.every(({ event }) => event === null)).toBe(true);
    expect(new Set(chunks.map(({ id, created, model }) => `${id} ${created} ${model}`)).size).toBe(1);
    expect(headers.get('ratelimit-limit')).toBe('5');
  });

  it('ends with the usage where it is asked for', async () => {
    provider.plays(says('Hello'));
    const { chunks } = await stream(service, application.id, { stream_options: { include_usage: true } });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: USAGE });
  });

  it('carries the fragments of tool calls', async () => {
    provider.plays(callsTool('weather', '{"city":"Seoul"}'));
    const { chunks } = await stream(service, application.id, {});
    const calls = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    expect(calls[0]).toEqual({ index: 0, id: 'call_1', type: 'function', function: { name: 'weather' } });
    const args = calls.map((delta) => (delta.function as { arguments?: string }).arguments ?? '').join('');
    expect([args, chunks.at(-1)!.choices[0]!.finish_reason]).toEqual(['{"city":"Seoul"}', 'tool_calls']);
  });

  it('sends an answer as it comes', async () => {
    let finish = () => {};
    provider.plays(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(upstreamChunk({ content: 'first' }))}\n\n`);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      response.end(`data: ${JSON.stringify(upstreamChunk({}, 'stop'))}\n\n`);
    });
    const response = await sendStream(service, application.id, {});
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('first')) text += (await reader.read()).value;
    expect(text).not.toContain('[DONE]');
    finish();
    for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
    expect(text).toContain('[DONE]');
  });

  it.each([
    ['named', {}, 'retry'],
    ['data', {}, null],
    ['named', { 'x-stainless-lang': 'js', 'x-stainless-package-version': '4.104.0' }, null],
    ['named', { 'x-stainless-lang': 'js', 'x-stainless-package-version': '7.57.0' }, 'retry'],
  ])('with X-Stream-Events: %s and %j reports retries in a chunk', async (form, client, name) => {
    provider.plays(fails(503), says('ok'));
    const headers = { 'x-stream-events': form, ...client };
    const { events: all, chunks, text } = await stream(service, application.id, {}, { headers });
    expect(text).toBe('ok');
    const retry = chunks.find(({ event }) => event?.type === 'retry')!;
    expect(retry).toMatchObject({
      choices: [{ delta: {} }],
      event: { type: 'retry', seq: 0, scope: 'model', code: 'provider_error', attempt: 2, max_attempts: 3 },
    });
    expect(all.find(({ data }) => data.includes('"type":"retry"'))!.event).toBe(name);
    expect(chunks.at(-1)).toMatchObject({
      event: { type: 'message_end', seq: 1, usage: USAGE, finish_reason: 'stop' },
    });
  });
});

describe('a stream that starts early', () => {
  it('sends its head and a comment before the provider’s first part', async () => {
    const { id } = await applicationOn(service, provider.baseUrl, { stream_start: 'early' });
    const answered = Promise.withResolvers<void>();
    provider.plays(async (response, request) => {
      await answered.promise;
      await says('Hello')(response, request);
    });
    const response = await sendStream(service, id, {});
    expect([response.status, response.headers.get('x-accel-buffering')]).toEqual([200, 'no']);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe(': keep-alive\n\n');
    answered.resolve();
    let text = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
    expect(text).toContain('"content":"Hello"');
  });

  it('reports a failure before the first part in an event', async () => {
    const { id } = await applicationOn(service, provider.baseUrl, { stream_start: 'early' });
    provider.plays(fails(401));
    const { failure, status } = await stream(service, id, {});
    expect([status, failure?.code]).toEqual([200, 'auth_error']);
    expect(chatRefusalOf(await complete(service, id, {}))).toMatchObject({ status: 502, code: 'auth_error' });
  });
});

describe('a large request', () => {
  const file = (bytes: number) =>
    user([{ type: 'file', file: { filename: 'a.pdf', file_data: Buffer.alloc(bytes).toString('base64') } }]);

  it('of 19 MB reaches the model', async () => {
    const { id } = await applicationOn(service, provider.baseUrl);
    provider.plays(says('ok'));
    expect(contentOf(await complete(service, id, file(14_000_000)))).toBe('ok');
  });

  it('of 21 MB is refused with the other ways', async () => {
    const refused = chatRefusalOf(await complete(service, application.id, file(16_000_000)));
    expect(refused).toMatchObject({ status: 413, message: expect.stringMatching(/20971520 bytes.*image_url.*upload/) });
  });
});

describe('content parts', () => {
  it('of every kind reach the model; an https image is fetched here', async () => {
    const images = await scriptedProvider();
    const site = images.baseUrl.replace('/v1', '/pixel.png');
    provider.plays(says('a pixel'));
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}`, detail: 'low' } },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
      { type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain;base64,aGVsbG8=' } },
    ];
    expect(contentOf(await complete(service, application.id, user(content)))).toBe('a pixel');
    expect(sent().messages).toEqual([{ role: 'user', content }]);
    // The scripted server reads JSON only: the image comes from a port where none listens, and is refused with a reason.
    await images.stop();
    const refused = chatRefusalOf(
      await complete(service, application.id, user([{ type: 'image_url', image_url: { url: site } }])),
    );
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining('image_url could not be read') });
  });

  it.each([
    'https://10.0.0.1/a.png',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:127.0.0.1]/a.png',
    'http://example.com/a.png',
  ])('an image at %s is refused', async (url) => {
    const answer = await complete(service, application.id, user([{ type: 'image_url', image_url: { url } }]));
    expect(chatRefusalOf(answer)).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('the embedded model quotes a text file, and says so when it has nothing', async () => {
    const { id } = await createApplication(service);
    const text = '배송은 결제 후 이틀이 걸립니다.\n환불은 7일 안에 신청할 수 있습니다.\nShops open at nine.';
    const file = { type: 'file', file: { filename: 'faq.txt', file_data: Buffer.from(text).toString('base64') } };
    const ask = async (question: string, ...more: object[]) =>
      contentOf(await complete(service, id, user([{ type: 'text', text: question }, ...more])));
    expect(await ask('환불 신청은 며칠 안에 하나요?', file)).toBe('환불은 7일 안에 신청할 수 있습니다. [faq.txt]');
    expect(await ask('When do shops open?', file)).toBe('Shops open at nine. [faq.txt]');
    expect(await ask('Quantum chromodynamics?', file)).toContain('say nothing about this');
    expect(await ask('Hello?')).toContain('I have no documents');
    const json = await complete(service, id, { response_format: { type: 'json_object' } });
    expect(chatRefusalOf(json)).toMatchObject({ status: 400, message: expect.stringContaining('response_format') });
  });
});

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

describe('a provider that', () => {
  const said = 'Incorrect API key provided: sk-secret';
  it.each([
    ['refuses the key', fails(401, { message: said }), 502, 'auth_error', 1],
    ['has no such model', fails(404), 502, 'provider_error', 1],
    ['refuses the request', fails(400, { message: 'bad schema' }), 400, 'invalid_request', 1],
    ['finds it too long', fails(400, { code: 'context_length_exceeded', message: 'x' }), 400, 'context_overflow', 1],
    ['has a limit', fails(429, {}, { 'retry-after': '0' }), 429, 'rate_limit', 3],
    ['asks for a long pause', fails(429, {}, { 'retry-after': '60' }), 429, 'rate_limit', 1],
    ['fails', fails(500), 502, 'provider_error', 3],
    ['sends garbage', events('data: {garbage\n\n'), 502, 'provider_error', 3],
    ['sends a page', events('<html></html>'), 502, 'provider_error', 3],
    ['ends at once', events(), 502, 'provider_error', 3],
    ['hangs', hangs(), 504, 'timeout', 1],
  ] as const)('%s', async (_, script, status, code, attempts) => {
    provider.plays(script);
    const answer = await complete(service, application.id, { stream: true });
    expect(chatRefusalOf(answer)).toMatchObject({ status, code });
    expect(provider.requests.length).toBe(attempts);
    expect(JSON.stringify(answer.json)).not.toContain('sk-secret');
    // Only if no request was repeated yet, and time helps.
    expect(answer.headers.get('x-should-retry')).toBe(attempts === 1 && status === 429 ? null : 'false');
  });

  it('breaks off before its first part', async () => {
    provider.plays(breaksOff());
    const answer = await complete(service, application.id, { stream: true });
    expect(chatRefusalOf(answer)).toMatchObject({ status: 502, code: 'provider_error' });
    // A kept connection that breaks is replaced at once, in addition to the three attempts.
    expect([3, 4]).toContain(provider.requests.length);
  });

  it.each([
    ['breaks off', breaksOff('Hel', 'lo'), 'provider_error'],
    ['ends without an end', events(upstreamChunk({ content: 'Hello' })), 'provider_error'],
    ['sends garbage', events(upstreamChunk({ content: 'Hello' }), 'data: {\n\n'), 'provider_error'],
    [
      'reports an error',
      events(upstreamChunk({ content: 'Hello' }), { error: { message: 'overloaded' } }),
      'provider_error',
    ],
    [
      'reports a limit',
      events(upstreamChunk({ content: 'Hello' }), { error: { code: 'rate_limit_exceeded' } }),
      'rate_limit',
    ],
    ['hangs', hangs('Hello'), 'timeout'],
  ] as const)('%s after its first part: the stream ends with the event error', async (_, script, code) => {
    provider.plays(script);
    const streamed = await stream(service, application.id, {});
    expect(streamed.text).toBe('Hello');
    expect(streamed.failure).toMatchObject({ code });
    expect(provider.requests.length).toBe(1);
  });

  it('closes late is not waited for', async () => {
    provider.plays(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(upstreamChunk({ content: 'ok' }, 'stop'))}\n\ndata: [DONE]\n\n`);
    });
    expect((await stream(service, application.id, {})).text).toBe('ok');
    await provider.requests[0]!.aborted;
  });

  it('recovers is asked again; one that does not is followed by the fallbacks', async () => {
    provider.plays(fails(503), fails(429, {}, { 'retry-after': '0' }), says('third time'));
    expect((await stream(service, application.id, {})).text).toBe('third time');
    const second = await scriptedProvider();
    const fallbacks = [{ provider: 'openai-compatible', name: 'second', base_url: second.baseUrl }];
    const { id } = await applicationOn(service, provider.baseUrl, { model: { fallbacks } });
    provider.plays(fails(401));
    second.plays(says('from the second'));
    const headers = { 'x-stream-events': 'named' };
    const { text, chunks } = await stream(service, id, {}, { headers });
    expect(text).toBe('from the second');
    expect(chunks[0]).toMatchObject({ event: { type: 'retry', scope: 'fallback', code: 'auth_error' } });
    expect(second.requests[0]!.headers.authorization).toBeUndefined();
    await second.stop();
  });
});

describe('a client that goes away', () => {
  it.each(['before the first part', 'in the middle'])('%s ends the provider’s work', async (phase) => {
    provider.plays(phase === 'in the middle' ? hangs('Hello') : hangs());
    const { id } = await applicationOn(service, provider.baseUrl, { model: { timeout: 100 } });
    const client = new AbortController();
    const response = sendStream(service, id, {}, {}, client.signal);
    response.catch(() => undefined);
    await expect.poll(() => provider.requests.length, { timeout: 20_000 }).toBe(1);
    if (phase === 'in the middle') await (await response).body!.getReader().read();
    client.abort();
    await provider.requests[0]!.aborted;
  });

  it('in the middle has used what the model had streamed, and before that nothing', async () => {
    const workspace = await createWorkspace();
    const caller = { ...service, ...workspace, baseUrl: service.baseUrl };
    const { id } = await applicationOn(caller, provider.baseUrl);
    for (const text of ['', 'Hello, how are you']) {
      provider.plays(text === '' ? hangs() : hangs(text));
      const client = new AbortController();
      const before = provider.requests.length;
      const response = sendStream(caller, id, {}, {}, client.signal);
      response.catch(() => undefined);
      await expect.poll(() => provider.requests.length, { timeout: 20_000 }).toBe(before + 1);
      if (text !== '') await (await response).body!.getReader().read();
      client.abort();
      await provider.requests[before]!.aborted;
    }
    const total = async () => {
      const { json } = await call(caller, 'GET', '/api/v1/usage', {});
      return (json as { data: { total: { calls: number; tokens_in: number; tokens_out: number } } }).data.total;
    };
    await expect.poll(async () => (await total()).calls, { timeout: 20_000 }).toBe(1);
    const { tokens_in, tokens_out } = await total();
    expect(tokens_in).toBeGreaterThan(0);
    expect(tokens_out).toBe(messageTokens({ role: 'assistant', content: 'Hello, how are you' }));
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
