import OpenAI from 'openai';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { beforeAll, describe, expect, it } from 'vitest';
import { response, responseEvent } from '../../../functions/chat/responses-api/schemas.ts';
import { call } from '../../helpers/api.ts';
import { applicationOn, chatRefusalOf, createToken } from '../../helpers/chat.ts';
import { hasPythonClient } from '../../helpers/python-client.ts';
import { runPython } from '../../helpers/run-python.ts';
import { breaksOff, callsTool, events, fails, says, USAGE, upstreamChunk } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';
import { useScriptedApplication } from '../../support/scripted-application.ts';

/** The Responses API, by the client of OpenAI. */
const service = useService();

const { provider, application } = useScriptedApplication(service, { system_prompt: 'Be kind.' });
let baseURL: string;
beforeAll(() => {
  baseURL = `${service.baseUrl}/api/v1/chat/${application.id}`;
});

const client = (url = baseURL, apiKey = service.apiKey) => new OpenAI({ baseURL: url, apiKey, maxRetries: 0 });
const model = 'anything';
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = [{ type: 'function' as const, name: 'weather', parameters, strict: true }];
const sent = () => provider.requests.at(-1)!.body;
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe.each([
  ['the application’s address', () => baseURL],
  ['the application’s address with /v1', () => `${baseURL}/v1`],
])('openai at %s', (_, url) => {
  it('creates a response', async () => {
    provider.plays(says('Hello', ' you'));
    const created = await client(url()).responses.create({ model, input: 'Hello', instructions: 'Be brief.' });
    expect(created.output_text).toBe('Hello you');
    expect(created).toMatchObject({
      ...{ object: 'response', status: 'completed', model: 'test-model', error: null, incomplete_details: null },
      output: [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text' }] }],
      usage: { input_tokens: USAGE.prompt_tokens, output_tokens: 3, total_tokens: USAGE.total_tokens },
    });
    response.parse(created);
    expect(sent().messages).toEqual([
      { role: 'system', content: 'Be kind.\n\nBe brief.' },
      { role: 'user', content: 'Hello' },
    ]);
  });

  it('chats and lists models', async () => {
    provider.plays(says('Hello'));
    const openai = client(url());
    const { choices } = await openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hi' }] });
    expect(choices[0]!.message.content).toBe('Hello');
    expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(['test-model']);
    expect((await openai.models.retrieve('test-model')).id).toBe('test-model');
  });
});

describe('a stream', () => {
  it('has the events that OpenAI’s helper puts a response together from', async () => {
    provider.plays(
      events(
        upstreamChunk({ reasoning_content: 'Hm.' }),
        ...['Hel', 'lo'].map((content) => upstreamChunk({ content })),
        upstreamChunk({}, 'stop'),
        'data: [DONE]\n\n',
      ),
    );
    const seen: ResponseStreamEvent[] = [];
    const stream = client().responses.stream({ model, input: 'Hello' });
    for await (const event of stream) seen.push(event);
    expect(seen.map(({ type }) => type)).toEqual([
      ...['response.created', 'response.in_progress'],
      ...['response.output_item.added', 'response.content_part.added', 'response.reasoning_text.delta'],
      ...['response.reasoning_text.done', 'response.content_part.done', 'response.output_item.done'],
      ...['response.output_item.added', 'response.content_part.added'],
      ...['response.output_text.delta', 'response.output_text.delta', 'response.output_text.done'],
      ...['response.content_part.done', 'response.output_item.done', 'response.completed'],
    ]);
    expect(seen.map(({ sequence_number }) => sequence_number)).toEqual(seen.map((_, index) => index));
    for (const event of seen) responseEvent.parse(event);
    const final = await stream.finalResponse();
    expect(final.output_text).toBe('Hello');
    expect(final.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
  });

  it('carries calls of functions in fragments', async () => {
    provider.plays(callsTool('weather', '{"city":"Seoul"}'));
    const stream = client().responses.stream({ model, input: 'Hello', tools });
    let args = '';
    for await (const event of stream) if (event.type === 'response.function_call_arguments.delta') args += event.delta;
    expect(args).toBe('{"city":"Seoul"}');
    expect((await stream.finalResponse()).output).toMatchObject([
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: args, status: 'completed' },
    ]);
  });

  it('fails with the reason, before its first part as in the middle', async () => {
    provider.plays(fails(401));
    await expect(client().responses.create({ model, input: 'Hello', stream: true })).rejects.toMatchObject({
      status: 502,
      code: 'auth_error',
    });
    provider.plays(breaksOff('Hello'));
    const stream = await client().responses.create({ model, input: 'Hello', stream: true });
    let text = '';
    const reading = (async () => {
      for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta;
    })();
    await expect(reading).rejects.toThrow(/broke off/);
    expect(text).toBe('Hello');
  });
});

describe('a response that is kept', () => {
  it('is read again as it was answered, until it is deleted', async () => {
    provider.plays(says('Hello'), callsTool('weather', '{"city":"Seoul"}'));
    const openai = client();
    const first = await openai.responses.create({ model, input: 'Hello' });
    const second = await openai.responses.create({ model, input: 'Weather?', tools, previous_response_id: first.id });
    for (const created of [first, second]) {
      const { output, usage, previous_response_id, status } = created;
      const read = await client(`${baseURL}/v1`).responses.retrieve(created.id);
      expect(read).toMatchObject({ id: created.id, output, usage, previous_response_id, status, model: 'test-model' });
      expect(Math.abs(read.created_at - created.created_at)).toBeLessThan(600);
      response.parse(read);
    }
    const deleted: unknown = await openai.responses.delete(second.id);
    expect(deleted).toEqual({ id: second.id, object: 'response', deleted: true });
    await expect(openai.responses.retrieve(second.id)).rejects.toMatchObject({
      status: 404,
      code: 'response_not_found',
    });
    await expect(openai.responses.delete(second.id)).rejects.toMatchObject({ status: 404 });
    expect((await openai.responses.retrieve(first.id)).output_text).toBe('Hello');
    const conversations = async () => {
      const { json } = await call(service, 'GET', `/api/v1/applications/${application.id}/conversations`);
      return (json as { data: { conversations: { title: string }[] } }).data.conversations.length;
    };
    const before = await conversations();
    await openai.responses.delete(first.id);
    expect(await conversations()).toBe(before - 1);
  });

  it('is of the caller who made it, of its application, and not there with store: false', async () => {
    provider.plays(says('Hello'), says('Hello'));
    const { id } = await client().responses.create({ model, input: 'Hello' });
    const other = await applicationOn(service, provider.baseUrl);
    const [foreign, elsewhere] = [await createWorkspace(), client(`${service.baseUrl}/api/v1/chat/${other.id}`)];
    await expect(elsewhere.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(client(baseURL, foreign.apiKey).responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(client(baseURL, foreign.apiKey).responses.delete(id)).rejects.toMatchObject({ status: 404 });
    const key = await call(service, 'POST', '/api/v1/api-keys', { body: { name: 'Another' } });
    const another = client(baseURL, (key.json as { data: { key: string } }).data.key);
    await expect(another.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    const unkept = await client().responses.create({ model, input: 'Hello', store: false });
    await expect(client().responses.retrieve(unkept.id)).rejects.toMatchObject({ status: 404 });
    await expect(client().responses.retrieve('resp_x')).rejects.toMatchObject({ status: 400 });
  });
});

describe('a conversation', () => {
  it('continues from a response, with calls of tools and their results', async () => {
    provider.plays(callsTool('weather', '{"city":"Seoul"}'), says('21 °C'), says('Yes'));
    const openai = client();
    const first = await openai.responses.create({ model, input: 'Weather?', tools });
    const [asked] = first.output as { call_id: string }[];
    const output = { type: 'function_call_output', call_id: asked!.call_id, output: '21' } as const;
    const second = await openai.responses.create({ model, input: [output], tools, previous_response_id: first.id });
    expect([second.output_text, second.previous_response_id]).toEqual(['21 °C', first.id]);
    await openai.responses.create({ model, input: 'Sure?', previous_response_id: second.id });
    expect(sent().messages.map(({ role }) => role)).toEqual([
      ...['system', 'user', 'assistant', 'tool', 'assistant', 'user'],
    ]);
  });

  it('branches where two responses continue the same one', async () => {
    provider.plays(says('1'), says('2a'), says('2b'), says('3b'));
    const openai = client();
    const ask = (input: string, previous?: string, more: object = {}) =>
      openai.responses.create({ model, input, ...(previous && { previous_response_id: previous }), ...more });
    const first = await ask('one');
    await ask('two a', first.id);
    const branch = await ask('two b', first.id);
    await ask('three b', branch.id);
    expect(
      sent()
        .messages.slice(1)
        .map(({ content }) => content),
    ).toEqual(['one', '1', 'two b', '2b', 'three b']);
  });

  it('a response with store: false is not kept, and can still continue a kept one', async () => {
    provider.plays(says('1'), says('2'), says('3'));
    const openai = client();
    const first = await openai.responses.create({ model, input: 'one' });
    const second = await openai.responses.create({
      ...{ model, input: 'two', store: false, previous_response_id: first.id },
    });
    expect(sent().messages).toHaveLength(4);
    const lost = openai.responses.create({ model, input: 'three', previous_response_id: second.id });
    await expect(lost).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' });
  });

  it('is found by its own caller and application alone', async () => {
    provider.plays(says('1'));
    const { id } = await client().responses.create({ model, input: 'one' });
    const elsewhere = await applicationOn(service, provider.baseUrl);
    const other = client(`${service.baseUrl}/api/v1/chat/${elsewhere.id}`);
    await expect(other.responses.create({ model, input: 'two', previous_response_id: id })).rejects.toMatchObject({
      code: 'previous_response_not_found',
    });
    const { apiKey } = await createWorkspace();
    const stranger = client(baseURL, apiKey);
    await expect(stranger.responses.create({ model, input: 'x', previous_response_id: id })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('is understood of clients that send it whole', async () => {
    provider.plays(says('ok'));
    await client().responses.create({
      model,
      input: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] },
        { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'Let me look.' }] },
        { type: 'function_call', call_id: 'c', name: 'weather', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: '21' },
        { role: 'assistant', content: '21 °C' },
        { role: 'user', content: 'Sure?' },
      ],
      store: false,
    });
    expect(sent().messages).toEqual([
      { role: 'system', content: 'Be kind.\n\nBe brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
      {
        ...{ role: 'assistant', content: null, reasoning_content: 'Let me look.' },
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'weather', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: '21' },
      { role: 'assistant', content: '21 °C' },
      { role: 'user', content: 'Sure?' },
    ]);
  });
});

describe('a request', () => {
  it('passes images, files, tools, structured output and limits on', async () => {
    provider.plays(says('{"city":"Seoul"}'));
    const content = [
      { type: 'input_text' as const, text: 'Where?' },
      { type: 'input_image' as const, image_url: PIXEL, detail: 'low' as const },
      { type: 'input_file' as const, filename: 'a.txt', file_data: 'data:text/plain;base64,aGVsbG8=' },
    ];
    const parsed = await client().responses.parse({
      ...{ model, input: [{ role: 'user', content }], tools, tool_choice: { type: 'function', name: 'weather' } },
      ...{ max_output_tokens: 50, temperature: 0, reasoning: { effort: 'low' }, parallel_tool_calls: false },
      text: { format: { type: 'json_schema', name: 'city', schema: parameters, strict: true } },
    });
    expect(JSON.parse(parsed.output_text)).toEqual({ city: 'Seoul' });
    expect(sent()).toMatchObject({
      messages: [
        {},
        {
          content: [
            { type: 'text', text: 'Where?' },
            { type: 'image_url', image_url: { url: PIXEL, detail: 'low' } },
            { type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain;base64,aGVsbG8=' } },
          ],
        },
      ],
      tools: [{ type: 'function', function: { name: 'weather', parameters, strict: true } }],
      tool_choice: { type: 'function', function: { name: 'weather' } },
      response_format: { type: 'json_schema', json_schema: { name: 'city', schema: parameters, strict: true } },
      ...{ max_tokens: 50, temperature: 0, reasoning_effort: 'low', parallel_tool_calls: false },
    });
  });

  it('says that an answer was cut, or refused', async () => {
    provider.plays(
      events(upstreamChunk({ content: 'Hel' }, 'length')),
      events(upstreamChunk({ refusal: 'No.' }, 'stop')),
    );
    const cut = await client().responses.create({ model, input: 'Hello' });
    expect(cut).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
    const refused = await client().responses.create({ model, input: 'Hello' });
    expect(refused.output).toMatchObject([{ content: [{ type: 'refusal', refusal: 'No.' }] }]);
  });

  it.each([
    ['no input', {}, 400, 'input'],
    ['a reference to an item', { input: [{ type: 'item_reference', id: 'msg_1' }] }, 400, 'item_reference'],
    [
      'an image by its id',
      { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] },
      400,
      'image_url',
    ],
    ['work in the background', { input: 'x', background: true }, 422, 'background'],
    ['an id of another form', { input: 'x', previous_response_id: 'resp_1' }, 400, 'previous_response_id'],
  ])('with %s is refused', async (_, body, status, text) => {
    provider.plays(says('never'));
    const answer = await call(service, 'POST', `/api/v1/chat/${application.id}/responses`, { body });
    expect(chatRefusalOf(answer)).toMatchObject({ status, message: expect.stringContaining(text) });
    expect(provider.requests).toEqual([]);
  });

  it('with a public access token is refused', async () => {
    const { token } = await createToken(service, application.id);
    const answer = await call(service, 'POST', `/api/v1/chat/${token}/responses`, { body: { input: 'x' }, key: null });
    expect(answer.status).toBe(401);
  });
});

describe.skipIf(!hasPythonClient())('openai for Python', () => {
  it('creates, streams and continues a response', async () => {
    provider.plays(says('Hello'), says('Hello', ' again'));
    const printed = await runPython(
      `
import json, sys
from openai import OpenAI
client = OpenAI(base_url=sys.argv[1], api_key=sys.argv[2], max_retries=0)
first = client.responses.create(model="m", input="Hello")
with client.responses.stream(model="m", input="Again", previous_response_id=first.id) as stream:
    parts = [e.delta for e in stream if e.type == "response.output_text.delta"]
    final = stream.get_final_response()
read = client.responses.retrieve(final.id)
client.responses.delete(final.id)
print(json.dumps([first.output_text, parts, final.output_text, final.usage.total_tokens, read.output_text]))`,
      [baseURL, service.apiKey],
    );
    expect(JSON.parse(printed)).toEqual([
      ...['Hello', ['Hello', ' again'], 'Hello again'],
      ...[USAGE.total_tokens, 'Hello again'],
    ]);
  });
});
