import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toGraphResponse } from '../../../functions/workflows/graph-wire.ts';
import { useService } from '../../helpers/service.ts';
import { envelope, publishedWorkflow, type RunResponse, runThat, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const service = useService();

/** Paths of all requests; `/flaky` fails while `isDown`. */
const asked: string[] = [];
let isDown = true;
const server = http.createServer((request, response) => {
  asked.push(request.url ?? '');
  response.statusCode = request.url === '/flaky' && isDown ? 500 : 200;
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ n: asked.length }));
});
let address: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const flow = (text: string) =>
  graph(
    [
      node('start', 'start', { fields: [{ name: 'name', type: 'text' }] }),
      node('paid', 'http_request', { url: `${address}/paid` }),
      node('each', 'iteration', { items: [1, 2], output: '{{item.body.n}}', concurrency: 1 }),
      node('item', 'http_request', { url: `${address}/item` }, { parentId: 'each' }),
      node('flaky', 'http_request', { url: `${address}/flaky` }),
      node('end', 'answer', { text }),
    ],
    ['start > paid', 'paid > each', 'each > flaky', 'flaky > end'],
  );
const TEXT = '{{start.name}} {{paid.body.n}} {{each.count}} {{flaky.status}}';

const retry = (run: string, body: object = {}) =>
  envelope<RunResponse & { trigger: object }>(service, 'POST', `/runs/${run}/retry`, body);
const ended = (run: string) => runThat(service, run, ({ status }) => status === 'succeeded' || status === 'failed');

it('a run that has failed is repeated from the node that failed, with the effects before it kept', async () => {
  const workflow = await publishedWorkflow(service, flow(TEXT));
  isDown = true;
  asked.length = 0;
  const failed = await runWorkflow(service, workflow, { inputs: { name: 'Kim' } });
  expect(failed.json.data.failure?.node_id).toBe('flaky');
  isDown = false;
  const { status, json } = await retry(failed.json.data.id);
  expect([status, json.data]).toMatchObject([202, { trigger: { type: 'api', retry_of: failed.json.data.id } }]);
  const run = await ended(json.data.id);
  expect([run.status, run.answer]).toEqual(['succeeded', 'Kim 1 2 200']);
  expect(asked).toEqual(['/paid', '/item', '/item', '/flaky', '/flaky']);
  const again = await retry(json.data.id);
  expect([again.status, again.json.message]).toEqual([409, expect.stringContaining('Name the node to start from')]);
});

it('a run is repeated from a node of the changed draft, with the outputs of the nodes before it', async () => {
  isDown = false;
  const workflow = await publishedWorkflow(service, flow(TEXT));
  const first = await runWorkflow(service, workflow, { inputs: { name: 'Kim' } });
  asked.length = 0;
  await envelope(service, 'PATCH', `/workflows/${workflow}`, { graph: toGraphResponse(flow(`New: ${TEXT}`)) });
  const { json } = await retry(first.json.data.id, { from: 'each', version: 'draft' });
  expect((await ended(json.data.id)).answer).toMatch(/^New: Kim \d+ 2 200$/);
  expect(asked).toEqual(['/item', '/item', '/flaky']);
  const wrong = await retry(first.json.data.id, { from: 'item' });
  expect([wrong.status, wrong.json.message]).toEqual([404, expect.stringContaining('paid, each, flaky, end')]);
});

it('a run that waits is not repeated, and one whose approval came too late waits for another', async () => {
  const workflow = await publishedWorkflow(
    service,
    graph([node('start', 'start'), node('ask', 'approval', { message: '?', timeout_hours: 0.001 })], ['start > ask']),
  );
  const { json } = await runWorkflow(service, workflow);
  expect((await retry(json.data.id)).status).toBe(409);
  await ended(json.data.id);
  const again = await retry(json.data.id);
  const waiting = await runThat(service, again.json.data.id, ({ status }) => status === 'waiting');
  expect(waiting.pending_approvals).toMatchObject([{ execution_key: 'ask' }]);
});

it('nodes that are pinned give out what they are given, and are not performed', async () => {
  isDown = false;
  const workflow = await publishedWorkflow(service, flow(TEXT));
  asked.length = 0;
  const pinned = { paid: { body: { n: '{{x}}' } }, each: { count: 7 } };
  const { json } = await runWorkflow(service, workflow, { inputs: { name: 'Kim' }, pinned });
  expect([json.data.answer, asked]).toEqual(['Kim {{x}} 7 200', ['/flaky']]);
  const wrong = await runWorkflow(service, workflow, { inputs: { name: 'Kim' }, pinned: { item: {} } });
  expect([wrong.status, wrong.json.message]).toEqual([404, expect.stringContaining('pinned.item')]);
});
