import { setImmediate } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { useService } from '../../helpers/service.ts';
import { envelope, publishedWorkflow, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

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

it('runs are listed by the time at which they were begun', async () => {
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
