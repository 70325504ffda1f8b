import OpenAI from 'openai';
import OpenAI4 from 'openai-4';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import { applicationOn, completionPath, createApplication, createToken, refillLimits } from '../../helpers/chat.ts';
import { type ScriptedProvider, says, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { publishedWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

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
