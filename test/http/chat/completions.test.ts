import { describe, expect, it } from 'vitest';
import {
  applicationOn,
  chatRefusalOf,
  complete,
  completionOf,
  contentOf,
  createApplication,
  PROVIDER_KEY,
  sendStream,
  stream,
} from '../../helpers/chat.ts';
import {
  callsTool,
  events,
  fails,
  says,
  scriptedProvider,
  USAGE,
  upstreamChunk,
} from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { useScriptedApplication } from '../../support/scripted-application.ts';

const service = useService();
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const { provider, application } = useScriptedApplication(service, { model: { timeout: 2 } });

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
