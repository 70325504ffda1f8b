import { expect, it } from 'vitest';
import { useService } from '../../helpers/service.ts';
import { envelope, publishedWorkflow, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const service = useService();
const start = node('start', 'start', {});

const erase = (id: string) => envelope(service, 'DELETE', `/runs/${id}?erase=true`);
const statusOf = async (id: string) => (await envelope(service, 'GET', `/runs/${id}`)).status;
const runsOf = async (workflow: string) =>
  (await envelope<{ runs: { id: string }[] }>(service, 'GET', `/workflows/${workflow}/runs`)).json.data.runs;

it('an ended run is erased with the runs within it, and is in no list', async () => {
  const inner = await publishedWorkflow(
    service,
    graph([start, node('end', 'answer', { text: 'ok' })], ['start > end']),
  );
  const call = node('call', 'sub_workflow', { workflow_id: inner });
  const fail = node('fail', 'http_request', { method: 'GET', url: 'http://169.254.169.254/' });
  const outer = await publishedWorkflow(service, graph([start, call, fail], ['start > call', 'call > fail']));
  const { json } = await runWorkflow(service, outer, {});
  const [within] = await runsOf(inner);
  expect([json.data.status, within]).toEqual(['failed', expect.anything()]);
  const failed = async () =>
    (await envelope<{ runs: { id: string }[] }>(service, 'GET', '/workflow-runs?status=failed')).json.data.runs;
  expect((await failed()).map(({ id }) => id)).toContain(json.data.id);
  expect((await erase(json.data.id)).status).toBe(204);
  expect([await statusOf(json.data.id), await statusOf(within!.id)]).toEqual([404, 404]);
  expect([await runsOf(outer), await runsOf(inner)]).toEqual([[], []]);
  expect((await failed()).map(({ id }) => id)).not.toContain(json.data.id);
  expect((await erase(json.data.id)).status).toBe(404);
});

it('a run that has not ended is cancelled before it is erased, and an ended one is not erased by a cancellation', async () => {
  const waits = graph(
    [start, node('ask', 'approval', { message: '?' }), node('end', 'answer', { text: 'ok' })],
    ['start > ask', 'ask:approved > end'],
  );
  const { json } = await runWorkflow(service, await publishedWorkflow(service, waits), {});
  const { id } = json.data;
  const early = await erase(id);
  expect([early.status, early.json.message, await statusOf(id)]).toEqual([
    409,
    expect.stringContaining('has not ended'),
    200,
  ]);
  expect((await envelope(service, 'DELETE', `/runs/${id}`)).status).toBe(204);
  const status = async () => (await envelope<{ status: string }>(service, 'GET', `/runs/${id}`)).json.data.status;
  await expect.poll(status, { timeout: 20_000 }).toBe('cancelled');
  expect((await envelope(service, 'DELETE', `/runs/${id}?erase=false`)).status).toBe(409);
  expect(await statusOf(id)).toBe(200);
  expect((await erase(id)).status).toBe(204);
  expect(await statusOf(id)).toBe(404);
});
