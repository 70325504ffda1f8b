import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { exportResult } from '../../../functions/accounts/workspace-schemas.ts';
import { logger } from '../../../functions/shared/logging.ts';
import { toGraphResponse } from '../../../functions/workflows/graph-wire.ts';
import { call } from '../../helpers/api.ts';
import { createApplication, dataOf } from '../../helpers/chat.ts';
import { placesNaming } from '../../helpers/everything-stored.ts';
import { type ScriptedProvider, says, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { envelope, publishedWorkflow, type RunResponse, runStream } from '../../helpers/workflows/calls.ts';
import { edges, graph, node } from '../../helpers/workflows/graphs.ts';
import { startReceiver } from '../../helpers/workflows/receiver.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';
import { asOwner, exportedRecords } from '../../helpers/workspace-data.ts';

const VALUE = 'sk-live-4f8a19c7e2d0-"한글"';
const service = useService();
let provider: ScriptedProvider;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await createWorkspace();
  provider = await scriptedProvider();
  receiver = await startReceiver(
    ({ path, body }) => `You sent ${path} ${body} and ${Buffer.from(`me:${VALUE}`).toString('base64')}`,
  );
});
afterAll(async () => {
  receiver.stop();
  await provider.stop();
});

/** Any form in which it could be read. */
const FORMS = [
  VALUE,
  'live-4f8a19c7e2d0',
  JSON.stringify(VALUE).slice(1, -1),
  encodeURIComponent(VALUE),
  Buffer.from(VALUE).toString('base64'),
  Buffer.from(`me:${VALUE}`).toString('base64'),
];
const formsIn = (text: string) => FORMS.filter((form) => text.includes(form));

/** A graph that uses a secret in every way, each of which fails or echoes it. */
function leaking(innerId: string, applicationId: string) {
  const branch = { onError: 'branch' } as const;
  const key = { key: '{{env.KEY}}' };
  const url = 'http://127.0.0.1:9/{{env.KEY}}?key={{env.KEY}}';
  const nodes = [
    node('start', 'start'),
    node('echo', 'http_request', {
      method: 'POST',
      url: `${receiver.origin}/echo`,
      params: key,
      auth: { kind: 'basic', value: 'me:{{env.KEY}}' },
      body: { note: '{{env.KEY}}' },
    }),
    node('refused', 'http_request', { url }, branch),
    node(
      'crashes',
      'code',
      { language: 'python', code: 'import sys\nraise Exception(sys.stdin.read())' },
      { ...branch, inputs: key },
    ),
    node(
      'prints',
      'code',
      { language: 'python', code: 'import sys\nprint(sys.stdin.read())', outputs: { key: 'text' } },
      { inputs: key },
    ),
    node(
      'broken',
      'template',
      { template: '{% for a in (1..90000000) %}{{ key }}{% endfor %}' },
      { ...branch, inputs: key },
    ),
    node('render', 'template', { template: 'Key: {{ key }}' }, { inputs: key }),
    node('ask', 'agent', { prompt: 'Repeat {{env.KEY}}', application_id: applicationId }),
    node('tool', 'tool', { tool: 'none', application_id: applicationId, arguments: key }, branch),
    node('inner', 'sub_workflow', { workflow_id: innerId, inputs: { note: '{{env.KEY}}' } }, branch),
    node('keep', 'assigner', { items: [{ variable: 'conversation.kept', operation: 'append', value: '{{env.KEY}}' }] }),
    node('check', 'condition', {
      cases: [{ id: 'yes', conditions: [{ left: '{{env.KEY}}', operator: 'is_not_empty' }] }],
    }),
    node(
      'end',
      'answer',
      { text: 'All: {{env.KEY}} {{echo.text}} {{refused.error.message}} {{ask.text}}' },
      { inputs: key },
    ),
    node('fatal', 'document_extractor', { file: url }),
  ];
  const ids = [
    'start',
    'echo',
    'refused',
    'crashes',
    'prints',
    'broken',
    'render',
    'ask',
    'tool',
    'inner',
    'keep',
    'check',
    'end',
    'fatal',
  ];
  const ways = ids.slice(1).flatMap((id, i) => {
    const before = nodes.find((each) => each.id === ids[i])!;
    if (before.id === 'check') return [`check:yes > ${id}`];
    return [`${before.id} > ${id}`, ...(before.onError === 'branch' ? [`${before.id}:error > ${id}`] : [])];
  });
  return {
    ...graph(nodes, []),
    edges: edges(...ways.filter((way) => !way.startsWith('end >')), 'check:else > fatal', 'check:yes > fatal'),
  };
}

it('a secret’s value is in no event, response, record, log, file or export of a run in which everything goes wrong', async () => {
  const own = { ...service, ...workspace, baseUrl: service.baseUrl };
  const logged: string[] = [];
  const write = (part: unknown) => logged.push(String(part)) > 0;
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(write),
    vi.spyOn(process.stderr, 'write').mockImplementation(write),
  ];
  const level = logger().getLevelName();
  logger().setLogLevel('DEBUG');
  try {
    const model = {
      provider: 'openai-compatible',
      name: 'm',
      base_url: provider.baseUrl,
      api_key: 'sk-of-the-provider',
    };
    const { id: applicationId } = await createApplication(own, { config: { model } });
    const [first = '', ...rest] = VALUE;
    provider.plays(says(`You said ${first}`, rest.slice(0, 9).join(''), `${rest.slice(9).join('')}, and that is all`));
    const field = { name: 'note', type: 'text' };
    const inner = await publishedWorkflow(own, graph([node('start', 'start', { fields: [field] })], []));
    const conversation = [{ name: 'kept', type: 'list', initial: [], description: '' }] as const;
    const environment_variables = [{ name: 'KEY', type: 'secret', value: VALUE }];
    const drawn = toGraphResponse({ ...leaking(inner, applicationId), conversation });
    const created = await envelope<{ id: string }>(own, 'POST', '/workflows', {
      name: 'Leaking',
      graph: { ...drawn, environment_variables },
    });
    expect([created.status, formsIn(JSON.stringify(created.json))]).toEqual([201, []]);
    const { id } = created.json.data;

    const stream = await (await runStream(own, id, { version: 'draft' })).text();
    const { runs } = (await envelope<{ runs: { id: string; status: string }[] }>(own, 'GET', `/workflows/${id}/runs`))
      .json.data;
    const run = (await envelope<RunResponse>(own, 'GET', `/runs/${runs[0]!.id}`)).json.data;
    // It did what it was meant to: the value has reached everyone who may have it.
    expect(receiver.received[0]?.body).toBe(JSON.stringify({ note: VALUE }));
    expect(JSON.stringify(provider.requests[0]?.body)).toContain(JSON.stringify(VALUE).slice(1, -1));
    const statuses = Object.fromEntries(run.nodes.map((each) => [each.execution_key, each.status]));
    expect(statuses).toEqual({
      ...{ start: 'succeeded', echo: 'succeeded', refused: 'failed', crashes: 'failed', prints: 'succeeded' },
      ...{
        broken: 'failed',
        render: 'succeeded',
        ask: 'succeeded',
        tool: 'failed',
        inner: 'failed',
        keep: 'succeeded',
      },
      ...{ check: 'succeeded', end: 'succeeded', fatal: 'failed' },
    });
    expect(run.nodes.find(({ execution_key }) => execution_key === 'inner')).toMatchObject({
      failure: { code: 'secret_not_passed' },
    });

    const headers = await asOwner(service, workspace);
    const started = await call(service, 'POST', '/api/v1/workspace/exports', { key: null, headers });
    const files = await exportedRecords(service, workspace, dataOf(started, exportResult.shape.data).id);
    expect(JSON.stringify(files)).toContain(runs[0]!.id);
    expect(logged.join('\n')).toContain('workflows.run-workflow');
    const places = await Promise.all(FORMS.map((form) => placesNaming(service, JSON.stringify(form).slice(1, -1))));
    const found = { stream, run: JSON.stringify(run), files: JSON.stringify(files), logs: logged.join('\n') };
    expect(Object.entries(found).map(([name, text]) => [name, formsIn(text)])).toEqual(
      Object.keys(found).map((name) => [name, []]),
    );
    expect(places.flat()).toEqual([]);
  } finally {
    logger().setLogLevel(level);
    for (const spy of spies) spy.mockRestore();
  }
});
