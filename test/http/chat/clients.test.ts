import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, jsonSchema, streamText, tool } from 'ai';
import OpenAI from 'openai';
import OpenAI4 from 'openai-4';
import { beforeAll, describe, expect, it } from 'vitest';
import { createToken } from '../../helpers/chat.ts';
import { hasPythonClient } from '../../helpers/python-client.ts';
import { breaksOff, callsTool, fails, hangs, says, USAGE } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { useScriptedApplication } from '../../support/scripted-application.ts';

/** The clients that people have, against the service as it runs. */
const service = useService();

const { provider, application } = useScriptedApplication(service);
let baseURL: string;
beforeAll(() => {
  baseURL = `${service.baseUrl}/api/v1/chat/${application.id}`;
});

const messages = [{ role: 'user' as const, content: 'Hello' }];
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = [{ type: 'function' as const, function: { name: 'weather', parameters } }];
const model = 'anything';

describe.each([
  ['openai 7', (url = baseURL, apiKey = service.apiKey) => new OpenAI({ baseURL: url, apiKey, maxRetries: 0 })],
  [
    'openai 4',
    (url = baseURL, apiKey = service.apiKey) =>
      new OpenAI4({ baseURL: url, apiKey, maxRetries: 0 }) as unknown as OpenAI,
  ],
] as const)('%s', (name, client) => {
  it('creates a completion', async () => {
    provider.plays(says('Hello', ' you'));
    const { choices, usage } = await client().chat.completions.create({ model, messages });
    expect([choices[0]!.message.content, usage!.total_tokens]).toEqual(['Hello you', USAGE.total_tokens]);
  });

  it.each([{}, { 'x-stream-events': 'named' }])('streams, with the headers %j', async (headers) => {
    provider.plays(fails(503), says('Hello', ' you'));
    const stream = await client().chat.completions.create(
      { model, messages, stream: true, stream_options: { include_usage: true } },
      { headers },
    );
    let text = '';
    let total = 0;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      total = chunk.usage?.total_tokens ?? total;
    }
    expect([text, total]).toEqual(['Hello you', USAGE.total_tokens]);
  });

  it('collects a stream with tools by its own helper', async () => {
    provider.plays(callsTool('weather', '{"city":"Seoul"}'));
    const openai = client();
    // In version 4 it is elsewhere.
    const helper = name === 'openai 4' ? (openai.beta as unknown as OpenAI).chat.completions : openai.chat.completions;
    const final = await helper.stream({ model, messages, tools }).finalChatCompletion();
    const [call] = final.choices[0]!.message.tool_calls as { id: string; function: { arguments: string } }[];
    expect([call!.id, JSON.parse(call!.function.arguments)]).toEqual(['call_1', { city: 'Seoul' }]);
  });

  it('gets structured output, parsed', async () => {
    provider.plays(says('{"city":', '"Seoul"}'));
    const completion = await client().chat.completions.create({
      model,
      messages,
      response_format: { type: 'json_schema', json_schema: { name: 'city', strict: true, schema: parameters } },
    });
    expect(JSON.parse(completion.choices[0]!.message.content!)).toEqual({ city: 'Seoul' });
    expect(provider.requests[0]!.body.response_format).toMatchObject({ json_schema: { name: 'city', strict: true } });
  });

  it('lists models', async () => {
    const ids: string[] = [];
    for await (const { id } of client().models.list()) ids.push(id);
    expect(ids).toEqual(['test-model']);
    expect((await client().models.retrieve('test-model')).id).toBe('test-model');
  });

  it('shows an error’s message, type and code', async () => {
    const refused = client().chat.completions.create({ model, messages, temperature: 3 });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      code: 'invalid_request',
      param: 'temperature',
      message: expect.stringContaining('temperature'),
    });
    provider.plays(fails(429, {}, { 'retry-after': '60' }));
    const limited = client().chat.completions.create({ model, messages });
    await expect(limited).rejects.toBeInstanceOf(name === 'openai 4' ? OpenAI4.RateLimitError : OpenAI.RateLimitError);
    const stranger = client(baseURL, 'tpk_wrong');
    await expect(stranger.models.list()).rejects.toMatchObject({ status: 401, type: 'authentication_error' });
  });

  it('shows a failure in the middle of a stream', async () => {
    provider.plays(breaksOff('Hello'));
    const stream = await client().chat.completions.create({ model, messages, stream: true });
    let text = '';
    const reading = (async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    })();
    await expect(reading).rejects.toThrow(/broke off/);
    expect(text).toBe('Hello');
  });

  it('goes away in the middle of a stream, and so does the provider’s work', async () => {
    provider.plays(hangs('Hello'));
    const stream = await client().chat.completions.create({ model, messages, stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    await provider.requests[0]!.aborted;
  });

  it('needs no key on the path of a public token', async () => {
    const { base_url, token } = await createToken(service, application.id);
    provider.plays(says('public'));
    const anonymous = client(base_url, 'none');
    const { choices } = await anonymous.chat.completions.create({ model, messages });
    expect(choices[0]!.message.content).toBe('public');
    expect(base_url).toContain(token);
  });
});

describe('ai with @ai-sdk/openai-compatible', () => {
  const chat = () =>
    createOpenAICompatible({ name: 'tripod', baseURL, apiKey: service.apiKey, includeUsage: true })('anything');

  it('generates and streams text, events or not', async () => {
    provider.plays(says('Hello', ' you'));
    const { text, usage } = await generateText({ model: chat(), prompt: 'Hello', maxRetries: 0 });
    expect([text, usage.totalTokens]).toEqual(['Hello you', USAGE.total_tokens]);
    provider.plays(fails(503), says('Hello', ' you'));
    const headers = { 'x-stream-events': 'named' };
    const streamed = streamText({ model: chat(), prompt: 'Hello', headers, maxRetries: 0 });
    let all = '';
    for await (const part of streamed.textStream) all += part;
    expect(all).toBe('Hello you');
  });

  it('runs its own tools', async () => {
    provider.plays(callsTool('weather', '{"city":"Seoul"}'));
    const { toolCalls } = await generateText({
      model: chat(),
      prompt: 'Hello',
      maxRetries: 0,
      tools: { weather: tool({ inputSchema: jsonSchema<{ city: string }>(parameters as never) }) },
    });
    expect(toolCalls).toMatchObject([{ toolName: 'weather', input: { city: 'Seoul' } }]);
  });

  it('shows errors, also in the middle of a stream', async () => {
    provider.plays(fails(401));
    const refused = generateText({ model: chat(), prompt: 'Hello', maxRetries: 0 });
    await expect(refused).rejects.toThrow(/refuses the credentials of the application/);
    provider.plays(breaksOff('Hello'));
    const errors: unknown[] = [];
    const streamed = streamText({
      model: chat(),
      prompt: 'Hello',
      maxRetries: 0,
      onError: ({ error }) => void errors.push(error),
    });
    let text = '';
    for await (const part of streamed.textStream) text += part;
    expect([text, errors.length]).toEqual(['Hello', 1]);
  });
});

describe('@langchain/openai', () => {
  const chat = () =>
    new ChatOpenAI({ model: 'anything', apiKey: service.apiKey, configuration: { baseURL }, maxRetries: 0 });

  it('invokes, streams and binds tools', async () => {
    provider.plays(says('Hello', ' you'));
    expect((await chat().invoke('Hello')).content).toBe('Hello you');
    let text = '';
    for await (const chunk of await chat().stream('Hello')) text += chunk.content;
    expect(text).toBe('Hello you');
    provider.plays(callsTool('weather', '{"city":"Seoul"}'));
    const { tool_calls } = await chat().bindTools(tools).invoke('Hello');
    expect(tool_calls).toMatchObject([{ name: 'weather', args: { city: 'Seoul' } }]);
  });

  it('shows an error', async () => {
    provider.plays(fails(400, { message: 'bad schema' }));
    await expect(chat().invoke('Hello')).rejects.toThrow(/bad schema/);
  });
});

const python = hasPythonClient();

describe.skipIf(!python)('openai for Python', () => {
  it('creates, streams, lists models and shows an error', async () => {
    provider.plays(says('Hello', ' you'));
    const script = `
import json, sys
from openai import OpenAI, BadRequestError
client = OpenAI(base_url=sys.argv[1], api_key=sys.argv[2], max_retries=0)
messages = [{"role": "user", "content": "Hello"}]
whole = client.chat.completions.create(model="m", messages=messages).choices[0].message.content
parts = [c.choices[0].delta.content or "" for c in client.chat.completions.create(model="m", messages=messages, stream=True) if c.choices]
try:
    client.chat.completions.create(model="m", messages=messages, temperature=3)
except BadRequestError as error:
    code = error.code
print(json.dumps([whole, "".join(parts), [m.id for m in client.models.list()], code]))`;
    const { stdout } = await promisify(execFile)('python3', ['-c', script, baseURL, service.apiKey]);
    expect(JSON.parse(stdout)).toEqual(['Hello you', 'Hello you', ['test-model'], 'invalid_request']);
  });

  it('calls its tools, takes structured output, uses a public address, and aborts in the middle', async () => {
    const { base_url } = await createToken(service, application.id);
    provider.plays(callsTool('weather', '{"city":"Seoul"}'), says('{"celsius":21}'), hangs('Hel'));
    const script = `
import json, sys
from openai import OpenAI
client = OpenAI(base_url=sys.argv[1], api_key=sys.argv[2], max_retries=0)
public = OpenAI(base_url=sys.argv[3], api_key="none", max_retries=0)
messages = [{"role": "user", "content": "Hello"}]
tools = [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}]
with client.chat.completions.stream(model="m", messages=messages, tools=tools) as stream:
    choice = stream.get_final_completion().choices[0]
call = choice.message.tool_calls[0].function
schema = {"type": "json_schema", "json_schema": {"name": "w", "schema": {"type": "object"}}}
structured = public.chat.completions.create(model="m", messages=messages, response_format=schema).choices[0].message.content
stream = client.chat.completions.create(model="m", messages=messages, stream=True)
first = next(c.choices[0].delta.content for c in stream if c.choices and c.choices[0].delta.content)
stream.close()
print(json.dumps([choice.finish_reason, call.name, call.arguments, structured, first]))`;
    const { stdout } = await promisify(execFile)('python3', ['-c', script, baseURL, service.apiKey, base_url]);
    expect(JSON.parse(stdout)).toEqual(['tool_calls', 'weather', '{"city":"Seoul"}', '{"celsius":21}', 'Hel']);
    await provider.requests.at(-1)!.aborted;
  });
});
