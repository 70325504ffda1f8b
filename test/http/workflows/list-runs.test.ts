import { setImmediate } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { useService } from '../../helpers/service.ts';
import { envelope, publishedWorkflow, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();

let workflow: string;
let betweenMs: number;
const ids: string[] = [];
/** Four runs: the second one fails, the third one is of the draft, the fourth came after `betweenMs`. */
beforeAll(async () => {
  workflow = await publishedWorkflow(
    service,
    graph(
      [
        node('start', 'start', { fields: [{ name: 'n', type: 'number' }] }),
        node('check', 'condition', {
          cases: [{ id: 'bad', conditions: [{ left: '{{start.n}}', operator: 'equals', right: 1 }] }],
        }),
        node('fail', 'http_request', { url: 'nowhere' }),
        node('end', 'answer', { text: 'ok' }),
      ],
      ['start > check', 'check:bad > fail', 'check:else > end'],
    ),
  );
  for (const [n, version] of [
    [0, 'published'],
    [1, 'published'],
    [0, 'draft'],
  ] as const)
    ids.push((await runWorkflow(service, workflow, { inputs: { n }, version })).json.data.id);
  betweenMs = Date.now();
  while (Date.now() <= betweenMs + 1) await setImmediate();
  ids.push((await runWorkflow(service, workflow, { inputs: { n: 0 } })).json.data.id);
});

const listed = async (query: string) => {
  const path = `/workflows/${workflow}/runs?${query}`;
  const { status, json } = await envelope<{ runs: { id: string }[]; next_cursor: string | null }>(service, 'GET', path);
  expect([status, json.message]).toEqual([200, 'Runs, newest first.']);
  return { found: json.data.runs.map(({ id }) => ids.indexOf(id)), next: json.data.next_cursor };
};

it.each([
  ['status=failed', [1]],
  ['status=succeeded&version=1', [3, 0]],
  ['version=draft', [2]],
  ['trigger=api', [3, 2, 1, 0]],
  ['trigger=schedule', []],
])('runs are listed by %s', async (query, expected) => {
  expect((await listed(query)).found).toEqual(expected);
});

it('runs are listed by the time at which they were started', async () => {
  const at = encodeURIComponent(new Date(betweenMs).toISOString());
  expect((await listed(`to=${at}`)).found).toEqual([2, 1, 0]);
  expect((await listed(`from=${encodeURIComponent(new Date(betweenMs + 1).toISOString())}`)).found).toEqual([3]);
});

it('a listing with a filter comes in pages', async () => {
  const first = await listed('status=succeeded&limit=2');
  expect(first.found).toEqual([3, 2]);
  const second = await listed(`status=succeeded&limit=2&cursor=${first.next}`);
  expect(second).toEqual({ found: [0], next: null });
  const plain = await listed('limit=3');
  expect([plain.found, (await listed(`limit=3&cursor=${plain.next}`)).found]).toEqual([[3, 2, 1], [0]]);
});

it('failed and cancelled runs are listed across workflows, page by page, for their workspace alone', async () => {
  const workspace = await createWorkspace();
  const theirs = { ...service, ...workspace };
  const failing = graph([node('start', 'start'), node('fail', 'http_request', { url: 'nowhere' })], ['start > fail']);
  const failed: string[] = [];
  for (let made = 0; made < 3; made++)
    failed.push((await runWorkflow(theirs, await publishedWorkflow(theirs, failing))).json.data.id);
  const asks = graph([node('start', 'start'), node('ask', 'approval', { message: '?' })], ['start > ask']);
  const waiting = (await runWorkflow(theirs, await publishedWorkflow(theirs, asks))).json.data.id;
  const listed = async (query: string, caller: Parameters<typeof envelope>[0] = theirs) => {
    const page = await envelope<{ runs: { id: string; status: string }[]; next_cursor: string | null }>(
      ...([caller, 'GET', `/workflow-runs?${query}`] as const),
    );
    expect(page.status).toBe(200);
    return page.json.data;
  };
  expect((await listed('status=waiting')).runs.map(({ id, status }) => [id, status])).toEqual([[waiting, 'waiting']]);
  await envelope(theirs, 'DELETE', `/runs/${waiting}`);
  await expect.poll(async () => (await listed('status=waiting')).runs, { timeout: 30_000 }).toEqual([]);
  const first = await listed('limit=2');
  expect(first.runs.map(({ id }) => id)).toEqual([failed[2], failed[1]]);
  const second = await listed(`limit=2&cursor=${first.next_cursor}`);
  expect([second.runs.map(({ id, status }) => [id, status]), second.next_cursor]).toEqual([
    [[failed[0], 'failed']],
    null,
  ]);
  await expect
    .poll(async () => (await listed('status=cancelled')).runs.map(({ id }) => id), { timeout: 15_000 })
    .toEqual([waiting]);
  expect((await listed('limit=100', service)).runs.map(({ id }) => failed.includes(id))).not.toContain(true);
  expect((await envelope(theirs, 'GET', '/workflow-runs?status=running')).status).toBe(400);
});
