import { expect, it } from 'vitest';
import { useService } from '../../helpers/service.ts';
import { envelope, publishedWorkflow, runThat, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const service = useService();
const start = node('start', 'start', { fields: [{ name: 'n', type: 'number' }] });

const doubling = (extra = '') =>
  publishedWorkflow(
    service,
    graph(
      [
        start,
        node('twice', 'template', { template: `{{ n | times: 2 }}${extra}` }, { inputs: { n: '{{start.n}}' } }),
        node('end', 'answer', { text: 'Twice: {{twice.text}}' }, { inputs: { twice: '{{twice.text}}' } }),
      ],
      ['start > twice', 'twice > end'],
    ),
  );
const calling = (workflowId: string, more: object = {}) =>
  publishedWorkflow(
    service,
    graph(
      [
        start,
        node(
          'call',
          'sub_workflow',
          { workflow_id: workflowId, inputs: { n: '{{start.n}}' }, ...more },
          { title: 'Double' },
        ),
        node('end', 'answer', { text: '{{call.answer}} / {{call.twice}} / {{call.outputs.twice}}' }),
      ],
      ['start > call', 'call > end'],
    ),
  );

it('a node runs another workflow as a separate run, and returns its answer and outputs', async () => {
  const inner = await doubling();
  const { json } = await runWorkflow(service, await calling(inner), { inputs: { n: 21 } });
  expect([json.data.status, json.data.answer]).toEqual(['succeeded', 'Twice: 42 / 42 / 42']);
  const runId = json.data.nodes[1]?.outputs?.run_id as string;
  const listed = await envelope<{ runs: { id: string; status: string }[] }>(service, 'GET', `/workflows/${inner}/runs`);
  expect(listed.json.data.runs).toMatchObject([{ id: runId, status: 'succeeded' }]);
});

it('a version is pinned, and the failure of the inner run is that of the node', async () => {
  const inner = await doubling();
  const next = await doubling('!');
  const { json: shown } = await envelope<{ graph: object }>(service, 'GET', `/workflows/${next}`);
  await envelope(service, 'PATCH', `/workflows/${inner}`, { graph: shown.data.graph });
  await envelope(service, 'POST', `/workflows/${inner}/versions`, {});
  const ask = async (workflow: string, inputs: object = { n: 1 }) =>
    (await runWorkflow(service, workflow, { inputs })).json.data;
  expect((await ask(await calling(inner))).answer).toBe('Twice: 2! / 2! / 2!');
  expect((await ask(await calling(inner, { version: 1 }))).answer).toBe('Twice: 2 / 2 / 2');
  expect((await ask(await calling(inner, { version: 9 }))).failure?.code).toBe('version_not_found');
  const wrong = await ask(await calling(inner, { inputs: { n: 'many' } }));
  expect(wrong.failure).toMatchObject({
    code: 'invalid_inputs',
    message: expect.stringContaining('n: must be a number'),
  });
  expect((await ask(await calling('0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b'))).failure?.code).toBe('not_found');
});

it('a workflow that runs itself is neither published nor run', async () => {
  const id = await publishedWorkflow(service, graph([start], []));
  const own = graph([node('start', 'start'), node('call', 'sub_workflow', { workflow_id: id })], ['start > call']);
  const { toGraphResponse } = await import('../../../functions/workflows/graph-wire.ts');
  await envelope(service, 'PATCH', `/workflows/${id}`, { graph: toGraphResponse(own) });
  for (const [path, body] of [
    ['versions', {}],
    ['run', { version: 'draft' }],
  ] as const) {
    const { status, json } = await envelope(service, 'POST', `/workflows/${id}/${path}`, body);
    expect([status, json.message]).toEqual([422, expect.stringContaining('is this workflow itself')]);
  }
});

it('more than 50 runs within one run are refused, and as many have started', { timeout: 120_000 }, async () => {
  const inner = await publishedWorkflow(
    service,
    graph([start, node('end', 'answer', { text: 'ok' })], ['start > end']),
  );
  const items = Array.from({ length: 60 }, (_, index) => index);
  const outer = graph(
    [
      start,
      node('each', 'iteration', { items, output: '{{call.answer}}', concurrency: 20 }),
      node('call', 'sub_workflow', { workflow_id: inner, inputs: { n: 1 } }, { parentId: 'each' }),
      node('end', 'answer', { text: '{{each.results}}' }),
    ],
    ['start > each', 'each > end'],
  );
  const { json } = await runWorkflow(service, await publishedWorkflow(service, outer), { inputs: { n: 1 } });
  expect(json.data.failure?.code).toBe('too_many_runs');
  const path = `/workflows/${inner}/runs?limit=100`;
  const listed = await envelope<{ runs: { id: string }[] }>(service, 'GET', path);
  expect(listed.json.data.runs).toHaveLength(50);
});

it('an approval in an inner workflow is waited for, and cancelling the outer run cancels the inner one', async () => {
  const inner = await publishedWorkflow(
    service,
    graph(
      [start, node('ask', 'approval', { message: '?' }), node('end', 'answer', { text: 'ok' })],
      ['start > ask', 'ask:approved > end'],
    ),
  );
  const outer = await calling(inner);
  const begin = async () => {
    const { json } = await runWorkflow(service, outer, { inputs: { n: 1 }, background: true });
    const innerRuns = async () =>
      (await envelope<{ runs: { id: string; status: string }[] }>(service, 'GET', `/workflows/${inner}/runs`)).json.data
        .runs;
    await expect.poll(async () => (await innerRuns())[0]?.status, { timeout: 10_000 }).toBe('waiting');
    return [json.data.id, (await innerRuns())[0]!.id] as const;
  };
  const [approved, innerApproved] = await begin();
  await envelope(service, 'POST', `/runs/${innerApproved}/approve`, {});
  expect((await runThat(service, approved, ({ status }) => status === 'succeeded')).answer).toMatch(/^ok/);
  const [cancelled, innerCancelled] = await begin();
  await envelope(service, 'DELETE', `/runs/${cancelled}`);
  expect((await runThat(service, cancelled, ({ status }) => status === 'cancelled')).status).toBe('cancelled');
  await runThat(service, innerCancelled, ({ status }) => status === 'cancelled');
});
