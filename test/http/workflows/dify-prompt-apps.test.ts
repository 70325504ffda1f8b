import { expect, it } from 'vitest';
import { complete } from '../../helpers/chat.ts';
import { says } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { importDify } from '../../helpers/workflows/dify.ts';
import { useDifyFiles } from '../../helpers/workflows/dify-flow.ts';

const service = useService();
const dify = useDifyFiles(service);

const file = (mode: string, model_config: object) =>
  JSON.stringify({ app: { mode, name: `Prompt ${Math.random()}` }, kind: 'app', model_config });
const model = { name: 'gpt', provider: 'p', completion_params: { temperature: 0.2, top_p: 0.9, stop: ['END'] } };
const asks = (id: string, content: string, body: object = {}) =>
  complete(service, id, { messages: [{ role: 'user', content }], ...body });
/** The messages that the model got last. */
const sent = () =>
  (dify.provider.requests.at(-1)!.body as { messages: { role: string; content: string }[] }).messages.map(
    ({ role, content }) => [role, content],
  );

it('an agent with a prompt and variables answers as a chat application, and names its tools as work that remains', async () => {
  const { id, imported } = await dify.chatOn(
    file('agent-chat', {
      pre_prompt: 'Guide {{who}} and keep {{this}}.',
      model: { name: 'gpt', provider: 'p' },
      user_input_form: [{ 'text-input': { variable: 'who', label: 'Who', required: false, default: 'all' } }],
      agent_mode: {
        enabled: true,
        max_iteration: 3,
        tools: [
          { enabled: true, tool_name: 'maps', provider_name: 'p' },
          { enabled: false, tool_name: 'off', provider_name: 'p' },
          { dataset: { enabled: true, id: 'base' } },
        ],
      },
    }),
  );
  expect(imported.to_connect.map(({ message }) => message)).toEqual([
    expect.stringContaining('"gpt"'),
    expect.stringContaining('the tool knowledge'),
    expect.stringContaining('knowledge, maps'),
  ]);
  const agent = imported.workflow.graph.nodes[1]!;
  expect(agent.data.config).toMatchObject({
    system: 'Guide {{start.who}} and keep {{{{this}}}}.',
    tools: ['knowledge', 'maps'],
    max_rounds: 3,
  });
  expect(JSON.stringify((await asks(id, 'Hello')).json)).toContain('has no tool knowledge');
});

it('a chat with a prompt and variables remembers its conversation', async () => {
  const { id, imported } = await dify.chatOn(
    file('chat', { pre_prompt: 'Be {{tone}}.', model, user_input_form: [{ paragraph: { variable: 'tone' } }] }),
  );
  expect([imported.valid, imported.unsupported]).toEqual([true, []]);
  expect(imported.to_connect.map(({ message }) => message)).toEqual([
    expect.stringMatching(/"gpt".* model\.extra_body: top_p 0\.9, stop \["END"\]\.$/),
  ]);
  dify.provider.plays(says('Hi'), says('Again'));
  const inputs = { start_node_inputs: { tone: 'kind' } };
  await complete(
    service,
    id,
    { messages: [{ role: 'user', content: 'Hello' }], ...inputs },
    { headers: { 'x-session-id': 's' } },
  );
  await complete(
    service,
    id,
    { messages: [{ role: 'user', content: 'And now?' }], ...inputs },
    { headers: { 'x-session-id': 's' } },
  );
  expect(sent()).toEqual([
    ['system', 'Be kind.'],
    ['user', 'Hello'],
    ['assistant', 'Hi'],
    ['user', 'And now?'],
  ]);
});

it('the prompt of a completion is the question, and nothing is remembered', async () => {
  const { id } = await dify.chatOn(
    file('completion', {
      pre_prompt: 'Translate into {{language}}: {{query}}',
      model,
      user_input_form: [
        { 'text-input': { variable: 'language', required: true } },
        { paragraph: { variable: 'query', required: true } },
      ],
    }),
  );
  dify.provider.plays(says('안녕'));
  const answer = await asks(id, 'ignored', { start_node_inputs: { language: 'Korean', query: 'Hi' } });
  expect(JSON.stringify(answer.json)).toContain('안녕');
  expect(sent()).toEqual([['user', 'Translate into Korean: Hi']]);
});

it('knowledge of a file becomes a search before the agent, which asks for the bases of the workspace', async () => {
  const imported = await importDify(
    service,
    file('chat', {
      pre_prompt: 'Answer from the documents.',
      model,
      user_input_form: [{ paragraph: { variable: 'topic' } }],
      dataset_query_variable: 'topic',
      dataset_configs: { top_k: 4, datasets: { datasets: [{ dataset: { enabled: true, id: 'x' } }] } },
    }),
  );
  const { nodes } = imported.workflow.graph;
  expect(nodes.map(({ type, data }) => [type, data.config])).toMatchObject([
    ['start', {}],
    ['knowledge_search', { query: '{{start.topic}}', knowledge_base_ids: [], top_k: 4 }],
    ['agent', { passages: '{{knowledge.documents}}' }],
    ['answer', {}],
  ]);
  expect(imported.to_connect.map(({ title }) => title)).toEqual(['Knowledge', 'Agent']);
});

const features = {
  opening_statement: 'Welcome!',
  suggested_questions: ['What can you do?', ''],
  suggested_questions_after_answer: { enabled: true },
  speech_to_text: { enabled: true },
  text_to_speech: { enabled: true },
  sensitive_word_avoidance: { enabled: true, type: 'keywords' },
  annotation_reply: { enabled: true },
  more_like_this: { enabled: true },
  retriever_resource: { enabled: true },
};
const NAMED = [
  'set data-greeting of the embedded chatbot to "Welcome!"',
  '"What can you do?"',
  'Suggested questions after an answer',
  'Speech to text',
  'Text to speech',
  'sensitive words',
  'annotations',
  'More like this',
].map((text) => expect.stringContaining(text));

it.each([
  [
    'an application with a prompt',
    file('chat', { model, external_data_tools: [{}], prompt_type: 'advanced', ...features }),
  ],
  [
    'an application with a graph',
    JSON.stringify({
      app: { mode: 'advanced-chat', name: `Features ${Math.random()}` },
      workflow: { features, graph: { nodes: [{ id: 'start', data: { type: 'start', variables: [] } }], edges: [] } },
    }),
  ],
])('every switched-on function of %s that a graph cannot hold is named', async (kind, dsl) => {
  const { unsupported } = await importDify(service, dsl);
  const [opening, questions, ...others] = NAMED;
  const more = kind.endsWith('prompt')
    ? [
        opening,
        questions,
        expect.stringContaining('external data tools'),
        ...others,
        expect.stringContaining('expert mode'),
      ]
    : NAMED;
  expect(unsupported.map(({ message }) => message)).toEqual(more);
});
