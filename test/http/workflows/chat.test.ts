import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { streamText } from 'ai';
import OpenAI from 'openai';
import OpenAI4 from 'openai-4';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import { applicationOn, completionPath, createApplication, createToken } from '../../helpers/chat.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { hasPythonClient } from '../../helpers/python-client.ts';
import { type ScriptedProvider, says, scriptedProvider, USAGE } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { publishedWorkflow, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();
let provider: ScriptedProvider;
let application: string;
beforeAll(async () => {
  provider = await scriptedProvider();
  const model = await applicationOn(service, provider.baseUrl);
  const workflow = await publishedWorkflow(
    service,
    graph(
      [
        node('start', 'start', {
          fields: [{ name: 'tone', type: 'select', options: ['kind', 'terse'], default: 'kind' }],
        }),
        node('ask', 'agent', {
          prompt: '{{sys.query}}',
          system: 'Be {{start.tone}}.',
          with_history: true,
          application_id: model.id,
        }),
        node('say', 'answer', { text: 'Answer: {{ask.text}}' }),
      ],
      ['start > ask', 'ask > say'],
    ),
  );
  const config = { workflow_id: workflow };
  application = (await createApplication(service, { type: 'workflow', config })).id;
});
afterAll(() => provider.stop());
beforeEach(refillLimits);

const messages = [{ role: 'user' as const, content: 'Hello' }];
const complete = (body: object, headers = {}) =>
  call(service, 'POST', completionPath(application), { body: { messages, ...body }, headers });

it('an application answers with its workflow, whole, and remembers the session', async () => {
  provider.plays(says('Hi'), says('Still here'));
  const headers = { 'x-session-id': 'one' };
  const { status, json } = await complete({ start_node_inputs: { tone: 'terse' } }, headers);
  expect([status, (json as OpenAI.ChatCompletion).choices[0]?.message.content]).toEqual([200, 'Answer: Hi']);
  await complete({ messages: [{ role: 'user', content: 'And now?' }] }, headers);
  const sent = provider.requests.at(-1)!.body as { messages: { role: string; content: string }[] };
  expect(sent.messages.map(({ content }) => content)).toEqual(['Be kind.', 'Hello', 'Answer: Hi', 'And now?']);
});

it('the preview takes a workflow’s id as model, and another one is a 404', async () => {
  const workflow = await publishedWorkflow(
    service,
    graph([node('start', 'start', {}), node('say', 'answer', { text: 'You said {{sys.query}}.' })], ['start > say']),
  );
  const preview = (model: string) => call(service, 'POST', '/api/v1/chat/completions', { body: { messages, model } });
  const { status, json } = await preview(workflow);
  expect([status, (json as OpenAI.ChatCompletion).choices[0]?.message.content]).toEqual([200, 'You said Hello.']);
  expect((json as OpenAI.ChatCompletion).model).toBe(workflow);
  expect((await preview('0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b')).status).toBe(404);
});

it('an input that does not fit is a 400 that names the field', async () => {
  const { status, json } = await complete({ start_node_inputs: { tone: 'loud' } });
  expect([status, (json as { message: string }).message]).toEqual([
    400,
    'start_node_inputs.tone: must be one of kind, terse.',
  ]);
});

it.each([OpenAI, OpenAI4])('client %# of OpenAI reads the stream with its events', async (Client) => {
  provider.plays(says('Hi there'));
  const client = new (Client as typeof OpenAI)({
    baseURL: `${service.baseUrl}/api/v1/chat/${application}`,
    apiKey: service.apiKey,
  });
  const stream = await client.chat.completions.create({ model: 'm', messages, stream: true });
  let text = '';
  const types: string[] = [];
  const sequence: number[] = [];
  for await (const chunk of stream as AsyncIterable<
    OpenAI.ChatCompletionChunk & { event?: { type: string; seq: number } }
  >) {
    text += chunk.choices[0]?.delta.content ?? '';
    if (chunk.event) {
      types.push(chunk.event.type);
      sequence.push(chunk.event.seq);
    }
  }
  expect(text).toBe('Answer: Hi there');
  expect(types).toEqual([
    'workflow_started',
    ...['node_started', 'node_finished', 'node_started', 'node_finished', 'node_started', 'node_finished'],
    'workflow_finished',
    'message_end',
  ]);
  expect(sequence).toEqual(sequence.map((_, index) => index));
});

it('ai, LangChain and OpenAI’s client for Python read the stream with its events', async () => {
  const baseURL = `${service.baseUrl}/api/v1/chat/${application}`;
  const { apiKey } = service;
  const headers = { 'x-stream-events': 'named' };
  provider.plays(says('Hi', ' there'));
  const chat = createOpenAICompatible({ name: 'tripod', baseURL, apiKey, headers })('m');
  const streamed = streamText({ model: chat, prompt: 'Hello', maxRetries: 0 });
  let text = '';
  for await (const part of streamed.textStream) text += part;
  expect([text, await streamed.finishReason]).toEqual(['Answer: Hi there', 'stop']);

  const langchain = new ChatOpenAI({ model: 'm', apiKey, configuration: { baseURL }, maxRetries: 0 });
  text = '';
  for await (const chunk of await langchain.stream('Hello')) text += chunk.content;
  expect(text).toBe('Answer: Hi there');

  if (!hasPythonClient()) return;
  const script = `
import json, sys
from openai import OpenAI
client = OpenAI(base_url=sys.argv[1], api_key=sys.argv[2], max_retries=0)
messages = [{"role": "user", "content": "Hello"}]
text, types = "", []
for chunk in client.chat.completions.create(model="m", messages=messages, stream=True):
    text += (chunk.choices[0].delta.content or "") if chunk.choices else ""
    event = (chunk.model_extra or {}).get("event")
    if event: types.append(event["type"])
print(json.dumps([text, types[0], types[-1]]))`;
  const { stdout } = await promisify(execFile)('python3', ['-c', script, baseURL, apiKey]);
  expect(JSON.parse(stdout)).toEqual(['Answer: Hi there', 'workflow_started', 'message_end']);
});

it('counts the tokens of a workflow’s runs, by application, and of those without a chat', async () => {
  const workspace = await createWorkspace();
  const caller = { ...service, ...workspace, baseUrl: service.baseUrl };
  const model = await applicationOn(caller, provider.baseUrl);
  const ask = node('ask', 'agent', { prompt: 'Hello', application_id: model.id });
  const workflow = await publishedWorkflow(caller, graph([node('start', 'start', {}), ask], ['start > ask']));
  const { id } = await createApplication(caller, { type: 'workflow', config: { workflow_id: workflow } });
  provider.plays(says('Hi'));
  expect((await call(caller, 'POST', completionPath(id), { body: { messages } })).status).toBe(200);
  expect((await runWorkflow(caller, workflow)).json.data.usage.total_tokens).toBe(USAGE.total_tokens);
  const usage = async () => {
    const { json } = await call(caller, 'GET', '/api/v1/usage?group_by=application');
    return (json as { data: { groups: object[] } }).data.groups;
  };
  const once = { calls: 1, tokens_in: USAGE.prompt_tokens, tokens_out: USAGE.completion_tokens };
  await expect.poll(usage, { timeout: 10_000 }).toMatchObject([
    { group: id, ...once },
    { group: null, ...once },
  ]);
});

it('a visitor with a public token sees what happens, and not what nodes work on', async () => {
  provider.plays(says('Hi'));
  const { token } = await createToken(service, application);
  const response = await fetch(service.baseUrl + completionPath(token), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messages, stream: true }),
  });
  const text = await response.text();
  expect(text).toContain('event: node_started');
  expect(text).not.toContain('"inputs"');
  expect(text).not.toContain('Be kind.');
});
