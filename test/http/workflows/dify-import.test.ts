import { expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import { useService } from '../../helpers/service.ts';
import { envelope, runWorkflow } from '../../helpers/workflows/calls.ts';
import { difyFile, difyNode, difyStart, importDify } from '../../helpers/workflows/dify.ts';
import { difyEnd, useDifyFiles } from '../../helpers/workflows/dify-flow.ts';

const service = useService();
const dify = useDifyFiles(service);

it('a reference that leads nowhere is empty and named, and the rest of the graph runs', async () => {
  const file = difyFile(
    [
      difyStart({ variable: 'name', type: 'text-input', required: false }),
      difyNode('leftover', {
        type: 'code',
        code: 'def main(): return {}',
        code_language: 'python3',
        outputs: {},
        variables: [],
      }),
      difyNode('Reply 1', {
        type: 'answer',
        title: 'Reply',
        answer:
          'Hi {{#start.name#}}{{#ghost.text#}}{{#leftover.result#}}{{#conversation.nope#}}, say {{name}} at {{#start.sys.query#}}',
      }),
    ],
    ['start > Reply 1'],
  );
  const { status, answer, imported } = await dify.ran(file, { inputs: { name: 'Ada' }, query: 'noon' });
  expect([status, answer]).toEqual(['succeeded', 'Hi Ada, say {{name}} at noon']);
  expect([imported.valid, imported.unsupported]).toEqual([true, []]);
  expect(imported.emptied.map(({ title, message }) => [title, message])).toEqual([
    ['Reply', 'It refers to ghost.text, and its node is not in the file: the value is empty, as it is there.'],
    ['Reply', 'It refers to leftover.result, and no run comes to its node: the value is empty, as it is there.'],
    ['Reply', 'It refers to conversation.nope, and the file does not declare it: the value is empty, as it is there.'],
  ]);
});

it('outputs that lead nowhere, comparisons as people write them, and braces of a prompt leave a graph valid', async () => {
  const { status, outputs, imported } = await dify.ran(
    difyFile(
      [
        difyStart(),
        difyNode('check', {
          type: 'if-else',
          cases: [
            {
              case_id: 'true',
              conditions: [{ variable_selector: ['sys', 'query'], comparison_operator: 'is empty', value: '' }],
            },
          ],
        }),
        difyEnd(['lost', ['ghost', 'text']], ['query', ['sys', 'query']]),
      ],
      ['start > check', 'check:true > end'],
      { mode: 'workflow' },
    ),
  );
  expect([imported.valid, imported.unsupported, status, outputs]).toEqual([
    true,
    [],
    'succeeded',
    { lost: '', query: '' },
  ]);
  const prompt = await importDify(
    service,
    JSON.stringify({
      app: { mode: 'chat', name: `Prompt ${Math.random()}` },
      model_config: {
        pre_prompt: 'Use {{ 변수 | upper }} and {{x}}',
        user_input_form: [{ paragraph: { variable: 'x' } }],
      },
    }),
  );
  expect([prompt.valid, prompt.workflow.graph.nodes[1]?.data.config.system]).toEqual([
    true,
    'Use {{{{ 변수 | upper }}}} and {{start.x}}',
  ]);
});

it('a file with a fault is kept as a draft with its issues, which runs once it is fixed', async () => {
  const cases = [
    { case_id: 'a', conditions: [{ variable_selector: ['sys', 'query'], comparison_operator: 'is', value: 'x' }] },
  ];
  const file = difyFile(
    [
      difyStart(),
      difyNode('check', { type: 'if-else', title: 'Which?', cases: [...cases, ...cases] }),
      difyNode('reply', { type: 'answer', answer: 'yes' }),
    ],
    ['start > check', 'check:a > reply'],
  );
  const imported = await importDify(service, file);
  expect([imported.valid, imported.issues.filter(({ severity }) => severity === 'error')]).toMatchObject([
    false,
    [{ node_id: 'check', message: expect.stringContaining('Node "Which?": config leads to "a" twice') }],
  ]);
  const { id, graph } = imported.workflow;
  const refused = await runWorkflow(service, id, { version: 'draft' });
  expect([refused.status, refused.json.message]).toEqual([422, expect.stringContaining('Which?')]);
  expect((await envelope(service, 'POST', `/workflows/${id}/versions`, {})).status).toBe(422);
  const check = graph.nodes[1]!;
  const config = { cases: (check.data.config.cases as object[]).slice(0, 1) };
  const mended = { ...graph, nodes: graph.nodes.with(1, { ...check, data: { ...check.data, config } }) };
  expect((await call(service, 'PATCH', `/api/v1/workflows/${id}`, { body: { graph: mended } })).status).toBe(200);
  expect((await runWorkflow(service, id, { version: 'draft', query: 'x' })).json.data.answer).toBe('yes');
});

it('a key in the open in the file becomes a secret', async () => {
  const key = 'plain-key-in-the-file';
  const imported = await importDify(
    service,
    difyFile(
      [
        difyStart(),
        difyNode('ask', {
          type: 'http-request',
          method: 'get',
          url: `${dify.address}/echo`,
          headers: '',
          params: '',
          authorization: { type: 'api-key', config: { type: 'custom', header: 'X-Key', api_key: key } },
          body: { type: 'none', data: [] },
        }),
      ],
      ['start > ask'],
    ),
  );
  expect(JSON.stringify(imported)).not.toContain(key);
  await runWorkflow(service, imported.workflow.id, { version: 'draft' });
  expect(dify.requests[0]?.headers['x-key']).toBe(key);
});

it('a tool of a plugin is kept to be connected, and fails with what it needs until it is', async () => {
  const { status, failure, imported } = await dify.ran(
    difyFile(
      [
        difyStart(),
        difyNode('search', {
          type: 'tool',
          title: 'Search',
          provider_id: 'tavily',
          provider_name: 'tavily',
          provider_type: 'builtin',
          tool_name: 'tavily_search',
          tool_configurations: { depth: 'basic', proxy: null },
          tool_parameters: { query: { type: 'mixed', value: 'News of {{#sys.query#}}' } },
        }),
        difyNode('reply', { type: 'answer', answer: '{{#search.text#}}{{#search.json#}}{{#search.answer#}}' }),
      ],
      ['start > search', 'search > reply'],
    ),
  );
  expect([imported.valid, imported.unsupported, imported.emptied]).toEqual([true, [], []]);
  expect(imported.to_connect).toMatchObject([{ title: 'Search', message: expect.stringContaining('"tavily_search"') }]);
  expect(imported.issues).toMatchObject([
    { severity: 'warning', node_id: 'search', message: expect.stringContaining('is to be connected') },
  ]);
  expect(imported.workflow.graph.nodes[1]?.data.config).toEqual({
    tool: 'tavily_search',
    arguments: { depth: 'basic', query: 'News of {{sys.query}}' },
    imported_from: 'tavily/tavily_search',
  });
  expect([status, failure]).toMatchObject([
    'failed',
    { code: 'unknown_tool', message: expect.stringContaining('tavily_search') },
  ]);
});

it('a program that needs a network or a package is named, with the command that installs it', async () => {
  const code =
    'import json, requests\nfrom jieba.analyse import textrank\nimport pandas as pd\n\ndef main():\n    return {}';
  const program = difyNode('run', { type: 'code', code_language: 'python3', code, outputs: {}, variables: [] });
  const { unsupported, to_connect: connect } = await importDify(
    service,
    difyFile([difyStart(), program], ['start > run']),
  );
  expect(unsupported.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^Its program uses requests to reach the network/),
    expect.stringMatching(
      /^Its program uses jieba, which the sandbox does not come with.*run: npm run sandbox:packages$/,
    ),
  ]);
  expect(connect.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^Its program uses pandas\. If GET .* install it: npm run sandbox:packages$/),
  ]);
});

it('the time tool runs without a plugin', async () => {
  const { status, outputs, imported } = await dify.ran(
    difyFile(
      [
        difyStart(),
        difyNode('clock', {
          type: 'tool',
          provider_name: 'time',
          provider_type: 'builtin',
          tool_name: 'current_time',
          tool_configurations: { timezone: 'Asia/Seoul', format: '%Y년 %z' },
          tool_parameters: {},
        }),
        difyEnd(['now', ['clock', 'text']]),
      ],
      ['start > clock', 'clock > end'],
      { mode: 'workflow' },
    ),
  );
  expect([status, imported.to_connect, outputs]).toEqual([
    'succeeded',
    [],
    { now: expect.stringMatching(/^20\d\d년 \+0900$/) },
  ]);
});

it.each([
  ['n8n', { nodes: [{ type: 'n8n-nodes-base.webhook' }], connections: {} }],
  ['FastGPT', { nodes: [{ flowNodeType: 'chatNode' }], edges: [] }],
  ['Flowise', { nodes: [{ data: { inputAnchors: [] } }], edges: [] }],
  ['LangGraph', { graphs: { agent: './agent.py:graph' }, dependencies: ['.'] }],
  ['Docker Compose', { services: {} }],
])('a file of %s is refused by its name', async (name, document) => {
  const { status, json } = await envelope(service, 'POST', '/workflows/import', { dsl: JSON.stringify(document) });
  expect([status, json.message]).toEqual([422, expect.stringContaining(name)]);
});

it('a failed run names the missing package and the command that installs it', async () => {
  const program = difyNode('run', {
    ...{ type: 'code', code_language: 'python3', outputs: {}, variables: [] },
    code: 'import no_such_package\n\ndef main():\n    return {}',
  });
  const { status, failure } = await dify.ran(difyFile([difyStart(), program], ['start > run']));
  expect([status, failure]).toMatchObject([
    'failed',
    {
      code: 'code_failed',
      message: expect.stringMatching(/no_such_package is not installed here.*npm run sandbox:packages/),
    },
  ]);
});
