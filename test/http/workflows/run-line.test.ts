import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Graph, GraphNode } from '../../../functions/workflows/domain/graph/graph.ts';
import type { Priority } from '../../../functions/workflows/domain/run/run.ts';
import { useService } from '../../helpers/service.ts';
import {
  envelope,
  publishedWorkflow,
  type RunResponse,
  runStream,
  runThat,
  runWorkflow,
} from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';
import { startReceiver } from '../../helpers/workflows/receiver.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();

let receiver: Awaited<ReturnType<typeof startReceiver>>;
/** The requests below /held that wait for their response, by path. */
const held = new Map<string, () => void>();
beforeAll(async () => {
  receiver = await startReceiver(
    ({ path }) =>
      new Promise((resolve) => {
        if (path.startsWith('/held')) held.set(path, () => resolve('ok'));
        else resolve('ok');
      }),
  );
});
afterAll(() => {
  for (const release of held.values()) release();
  receiver.stop();
});

/** Releases a request once it has come. */
async function release(path: string): Promise<void> {
  await untilAsked(path);
  held.get(path)?.();
}

async function untilAsked(path: string): Promise<void> {
  while (!paths().includes(path)) await sleep(5);
}

const paths = () => receiver.received.map(({ path }) => path);
const start = node('start', 'start', { fields: [{ name: 'path', type: 'text' }] });
const withPlaces = (maxRuns: number, plain: Graph): Graph => ({ ...plain, settings: { ...plain.settings, maxRuns } });

/** A workflow that asks the receiver for a path. */
function asking(
  maxRuns: number,
  of: Parameters<typeof publishedWorkflow>[0] = service,
  more: readonly GraphNode[] = [],
) {
  const get = node('get', 'http_request', { method: 'GET', url: `${receiver.origin}{{start.path}}` });
  const ways = [...more, get].map(({ id }, i) => `${i === 0 ? 'start' : more[i - 1]!.id} > ${id}`);
  const end = node('end', 'answer', { text: '{{get.text}}' });
  return publishedWorkflow(of, withPlaces(maxRuns, graph([start, ...more, get, end], [...ways, 'get > end'])));
}

async function queue(id: string, path: string, more: { readonly priority?: Priority } = {}, of = service) {
  const { status, json } = await runWorkflow(of, id, { inputs: { path }, background: true, ...more });
  expect([status, json.message]).toEqual([202, 'The run is queued.']);
  return json.data.id;
}

const ended = (id: string) => runThat(service, id, ({ status }) => status === 'succeeded');

it('a workflow with one place runs its queue one by one, the highest priority first', async () => {
  const id = await asking(1);
  const first = await queue(id, '/held/first');
  await untilAsked('/held/first');
  const low = await queue(id, '/order/low', { priority: 'low' });
  const older = await queue(id, '/order/older');
  const younger = await queue(id, '/order/younger');
  const high = await queue(id, '/order/high', { priority: 'high' });
  const listed = await envelope<{ runs: (RunResponse & { priority: string })[] }>(
    ...[service, 'GET', `/workflows/${id}/runs?status=queued`],
  );
  expect(listed.json.data.runs.map(({ id: run, priority }) => [run, priority])).toEqual([
    [high, 'high'],
    [younger, 'normal'],
    [older, 'normal'],
    [low, 'low'],
  ]);
  expect(paths().filter((path) => path.startsWith('/order/'))).toEqual([]);
  await release('/held/first');
  for (const run of [first, low, older, younger, high]) await ended(run);
  expect(paths().filter((path) => path.startsWith('/order/'))).toEqual([
    '/order/high',
    '/order/older',
    '/order/younger',
    '/order/low',
  ]);
});

it('a request waits in line, and its response is the ended run; a stream gets the events once the run starts', async () => {
  const id = await asking(1);
  await queue(id, '/held/before');
  await untilAsked('/held/before');
  const plain = runWorkflow(service, id, { inputs: { path: '/in-line/plain' } });
  const streamed = await runStream(service, id, { inputs: { path: '/in-line/streamed' } });
  expect(paths()).not.toContain('/in-line/plain');
  await release('/held/before');
  const { status, json } = await plain;
  expect([status, json.data.status, json.data.answer]).toEqual([200, 'succeeded', 'ok']);
  const text = await streamed.text();
  expect(text).toContain('event: workflow_finished');
  expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true);
});

it('a run whose client goes away while it waits in line is cancelled', async () => {
  const id = await asking(1);
  const first = await queue(id, '/held/leaving');
  await untilAsked('/held/leaving');
  const client = new AbortController();
  const stream = await runStream(service, id, { inputs: { path: '/left' } }, client.signal);
  await stream.body!.getReader().read();
  client.abort();
  const listed = () =>
    envelope<{ runs: RunResponse[] }>(service, 'GET', `/workflows/${id}/runs?status=cancelled`).then(
      ({ json }) => json.data.runs,
    );
  while ((await listed()).length === 0) await sleep(20);
  await release('/held/leaving');
  await ended(first);
  expect(paths()).not.toContain('/left');
});

it('runs in line take nothing from another workflow, nor from another workspace', async () => {
  const id = await asking(1);
  await queue(id, '/held/greedy');
  await untilAsked('/held/greedy');
  const inLine = [];
  for (let i = 0; i < 20; i++) inLine.push(await queue(id, `/greedy/${i}`));
  await ended(await queue(await asking(1), '/other-workflow'));
  const other = { ...service, ...(await createWorkspace()) };
  const theirs = await queue(await asking(1, other), '/other-workspace', {}, other);
  await runThat(other, theirs, ({ status }) => status === 'succeeded');
  expect(paths().filter((path) => path.startsWith('/greedy/'))).toEqual([]);
  await release('/held/greedy');
  for (const run of inLine) await ended(run);
});

it('a run that waits for people gives its place to the next one', async () => {
  const id = await asking(1, service, [
    node('ask', 'human_input', { message: '?', fields: [{ name: 'note', type: 'text', required: false }] }),
  ]);
  const [one, two] = [await queue(id, '/one'), await queue(id, '/two')];
  for (const run of [one, two]) await runThat(service, run, ({ status }) => status === 'waiting');
  for (const run of [two, one]) {
    expect((await envelope(service, 'POST', `/runs/${run}/submit`, { values: {} })).status).toBe(200);
    await ended(run);
  }
});

it('a run within a run of its own workflow needs no second place', async () => {
  const id = await publishedWorkflow(service, graph([node('start', 'start')], []));
  const own = graph(
    [node('start', 'start'), node('call', 'sub_workflow', { workflow_id: id, version: 1 }), node('end', 'answer')],
    ['start > call', 'call > end'],
  );
  const { toGraphResponse } = await import('../../../functions/workflows/graph-wire.ts');
  await envelope(service, 'PATCH', `/workflows/${id}`, { graph: toGraphResponse(withPlaces(1, own)) });
  await envelope(service, 'POST', `/workflows/${id}/versions`, {});
  const { json } = await runWorkflow(service, id);
  expect([json.data.status, json.data.failure]).toEqual(['succeeded', null]);
});

it('the runs of a trigger have its priority', async () => {
  const id = await asking(1);
  const draft = { type: 'webhook', name: 'Night', auth: 'token', inputs: { path: '/night' }, priority: 'low' };
  const made = await envelope<{ id: string; url: string; priority: string }>(
    ...([service, 'POST', `/workflows/${id}/triggers`, draft] as const),
  );
  expect(made.json.data.priority).toBe('low');
  const fired = async () => {
    const { data } = (await (await fetch(made.json.data.url, { method: 'POST' })).json()) as {
      data: { run_id: string };
    };
    return ended(data.run_id);
  };
  expect(await fired()).toMatchObject({ priority: 'low' });
  const path = `/workflows/${id}/triggers/${made.json.data.id}`;
  await envelope(service, 'PATCH', path, { priority: 'high' });
  expect(await fired()).toMatchObject({ priority: 'high' });
});

it('a graph with a wrong number of places is refused', async () => {
  const { status, json } = await envelope(service, 'POST', '/workflows', {
    name: 'No places',
    graph: { nodes: [{ id: 'start', type: 'start' }], edges: [], settings: { max_runs: 0 } },
  });
  expect([status, json.message]).toEqual([422, expect.stringContaining('max_runs')]);
});
