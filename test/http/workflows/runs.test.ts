import { expect, it } from 'vitest';
import { useService } from '../../helpers/service.ts';
import { envelope, publishedWorkflow, type RunResponse, runThat, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const service = useService();

const start = node('start', 'start', { fields: [{ name: 'name', type: 'text', max_length: 20 }] });
const greet = node(
  'greet',
  'template',
  { template: 'Hello {{ who | upcase }}' },
  { inputs: { who: '{{start.name}}' } },
);
const end = (text: string, inputs = {}) => node('end', 'answer', { text }, { inputs });

it('runs a published workflow, and shows every node of the run', async () => {
  const id = await publishedWorkflow(
    service,
    graph([start, greet, end('{{greet.text}}!', { text: '{{greet.text}}' })], ['start > greet', 'greet > end']),
  );
  const { status, json } = await runWorkflow(service, id, { inputs: { name: 'kim' } });
  expect([status, json.data.status, json.data.answer]).toEqual([200, 'succeeded', 'Hello KIM!']);
  expect(json.data.outputs).toEqual({ text: 'Hello KIM' });
  expect(json.data.nodes.map((each) => [each.execution_key, each.status])).toEqual([
    ['start', 'succeeded'],
    ['greet', 'succeeded'],
    ['end', 'succeeded'],
  ]);
  expect(json.data.nodes[1]).toMatchObject({ inputs: { who: 'kim' }, outputs: { text: 'Hello KIM' } });

  const again = await envelope<RunResponse>(service, 'GET', `/runs/${json.data.id}`);
  expect(again.json.data).toEqual(json.data);
  const listed = await envelope<{ runs: { id: string }[] }>(service, 'GET', `/workflows/${id}/runs`);
  expect(listed.json.data.runs.map((each) => each.id)).toEqual([json.data.id]);
});

it('refuses inputs that do not fit the start node, and names the field', async () => {
  const id = await publishedWorkflow(service, graph([start, end('')], ['start > end']));
  const missing = await runWorkflow(service, id);
  expect([missing.status, missing.json.message]).toEqual([422, 'Inputs of the start node: name: is needed.']);
  const long = await runWorkflow(service, id, { inputs: { name: 'x'.repeat(21) } });
  expect(long.json.message).toContain('name: must have at most 20 characters');
  const more = await runWorkflow(service, id, { inputs: { name: 'a', colour: 1 } });
  expect(more.json.message).toContain('colour: is no field of the start node, which has name');
});

it('waits for an approval, and goes on with it in the background', async () => {
  const approval = node('ask', 'approval', { message: 'Pay {{start.name}}?' });
  const id = await publishedWorkflow(
    service,
    graph(
      [start, approval, greet, end('Paid: {{greet.text}}')],
      ['start > ask', 'ask:approved > greet', 'greet > end'],
    ),
  );
  const { status, json } = await runWorkflow(service, id, { inputs: { name: 'kim' } });
  expect([status, json.data.status]).toEqual([202, 'waiting']);
  expect(json.data.pending_approvals).toMatchObject([{ execution_key: 'ask', message: 'Pay kim?' }]);
  const path = `/runs/${json.data.id}/approve`;
  const wrong = await envelope(service, 'POST', path, { execution_key: 'greet' });
  expect([wrong.status, wrong.json.error?.code ?? wrong.json.message]).toEqual([
    409,
    'The run does not wait for an approval at "greet".',
  ]);
  expect((await envelope(service, 'POST', path, { comment: 'fine' })).status).toBe(200);
  const twice = await envelope(service, 'POST', path, {});
  expect(twice.status).toBe(409);
  const ended = await runThat(service, json.data.id, (run) => run.status === 'succeeded');
  expect(ended.answer).toBe('Paid: Hello KIM');
  expect(ended.nodes.find((each) => each.execution_key === 'ask')?.outputs).toMatchObject({
    decision: 'approved',
    comment: 'fine',
  });
  expect((await envelope(service, 'POST', path, {})).status).toBe(409);
});

it('a waiting run is cancelled, once', async () => {
  const id = await publishedWorkflow(
    service,
    graph([start, node('ask', 'approval', { message: '?' })], ['start > ask']),
  );
  const { json } = await runWorkflow(service, id, { inputs: { name: 'kim' } });
  expect((await envelope(service, 'DELETE', `/runs/${json.data.id}`)).status).toBe(204);
  const ended = await runThat(service, json.data.id, (run) => run.status === 'cancelled');
  expect(ended.nodes.find((each) => each.execution_key === 'ask')?.status).toBe('cancelled');
  expect((await envelope(service, 'DELETE', `/runs/${json.data.id}`)).status).toBe(409);
});

it('a run keeps its graph when another one is published meanwhile', async () => {
  const approval = node('ask', 'approval', { message: '?' });
  const before = graph([start, approval, end('old')], ['start > ask', 'ask:approved > end']);
  const id = await publishedWorkflow(service, before);
  const { json } = await runWorkflow(service, id, { inputs: { name: 'kim' } });
  const { toGraphResponse } = await import('../../../functions/workflows/graph-wire.ts');
  const next = graph([start, end('new')], ['start > end']);
  expect((await envelope(service, 'PATCH', `/workflows/${id}`, { graph: toGraphResponse(next) })).status).toBe(200);
  expect((await envelope(service, 'POST', `/workflows/${id}/versions`, {})).status).toBe(201);
  expect((await runWorkflow(service, id, { inputs: { name: 'kim' } })).json.data).toMatchObject({
    answer: 'new',
    workflow_version: 2,
  });
  await envelope(service, 'POST', `/runs/${json.data.id}/approve`, {});
  expect(await runThat(service, json.data.id, (run) => run.status === 'succeeded')).toMatchObject({
    answer: 'old',
    workflow_version: 1,
  });
});

it('runs in the background', async () => {
  const id = await publishedWorkflow(service, graph([start, end('Hi {{start.name}}')], ['start > end']));
  const { status, json } = await runWorkflow(service, id, { inputs: { name: 'kim' }, background: true });
  expect([status, json.data.status]).toEqual([202, 'queued']);
  expect((await runThat(service, json.data.id, (run) => run.status === 'succeeded')).answer).toBe('Hi kim');
});
