import { afterAll, beforeAll, expect, it } from 'vitest';
import type * as z from 'zod';
import type { comparedRuns } from '../../../functions/workflows/comparison-wire.ts';
import { toGraphResponse } from '../../../functions/workflows/graph-wire.ts';
import { useService } from '../../helpers/service.ts';
import { envelope, publishedWorkflow, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';
import { startReceiver } from '../../helpers/workflows/receiver.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

type Comparison = z.output<typeof comparedRuns>;

const service = useService();
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let workflow: string;

beforeAll(async () => {
  receiver = await startReceiver(({ path }) => `answer to ${path}`);
  workflow = await publishedWorkflow(
    service,
    graph(
      [
        node('start', 'start', { fields: [{ name: 'name', type: 'text' }] }),
        node('ask', 'http_request', { url: `${receiver.origin}/{{start.name}}` }),
        node('kind', 'condition', {
          cases: [{ id: 'short', conditions: [{ left: '{{start.name}}', operator: 'equals', right: 'Kim' }] }],
        }),
        node('short', 'template', { template: 'short' }),
        node('long', 'template', { template: 'long' }),
        node('end', 'answer', { text: '{{short.text | long.text}}' }),
      ],
      ['start > ask', 'ask > kind', 'kind:short > short', 'kind:else > long', 'short > end', 'long > end'],
    ),
  );
});
afterAll(() => receiver.stop());

const compare = (run: string, other: string, key?: string) =>
  envelope<Comparison>(service, 'GET', `/runs/${run}/comparison?with=${other}`, undefined, key);
const runWith = async (name: string) => (await runWorkflow(service, workflow, { inputs: { name } })).json.data;

it('two runs are compared node by node, with changed members, nodes of only one run, and sums', async () => {
  const [first, second] = [await runWith('Kim'), await runWith('Hangang')];
  const { status, json } = await compare(first.id, second.id);
  expect(status).toBe(200);
  const { run, other, difference, nodes } = json.data;
  expect([run, other]).toMatchObject([
    { id: first.id, status: 'succeeded', usage: first.usage, elapsed_ms: expect.any(Number) },
    { id: second.id, status: 'succeeded', usage: second.usage, elapsed_ms: expect.any(Number) },
  ]);
  expect(difference).toEqual({
    elapsed_ms: other.elapsed_ms! - run.elapsed_ms!,
    ...{ total_tokens: 0, krw: 0, sandbox_seconds: 0 },
  });
  const byNode = Object.fromEntries(nodes.map((each) => [each.node_id, each]));
  expect(byNode.start).toMatchObject({
    in: 'both',
    run: { status: 'succeeded', elapsed_ms: expect.any(Number) },
    outputs: { same: false, changes: [{ member: 'name', kind: 'changed', run: 'Kim', other: 'Hangang' }] },
  });
  expect(byNode.ask!.outputs.changes).toContainEqual(
    expect.objectContaining({ member: 'body', run: 'answer to /Kim', other: 'answer to /Hangang' }),
  );
  expect([byNode.short, byNode.long]).toMatchObject([
    { in: 'run', run: { status: 'succeeded' }, other: null },
    { in: 'other', run: null, other: { status: 'succeeded' } },
  ]);
});

it('equal runs have the same inputs and outputs in every node', async () => {
  const [first, second] = [await runWith('Lee'), await runWith('Lee')];
  const { nodes } = (await compare(first.id, second.id)).json.data;
  const differing = nodes.filter(({ inputs, outputs }) => !(inputs.same && outputs.same));
  // The server names the time in its headers.
  expect(differing.flatMap(({ outputs }) => outputs.changes.map(({ member }) => member))).toEqual(
    differing.length === 0 ? [] : ['headers.date'],
  );
  expect(nodes.length).toBe(first.nodes.length);
});

it('long values are left out of a comparison, and the answer says so', async () => {
  const [first, second] = [await runWith('Kim'), await runWith('K'.repeat(3_000))];
  const { nodes } = (await compare(first.id, second.id)).json.data;
  const { outputs } = nodes.find(({ node_id }) => node_id === 'start')!;
  expect(outputs.changes).toEqual([{ member: 'name', kind: 'changed', values_omitted: true }]);
});

it('a comparison shows the mark of a secret, never its value', async () => {
  const secret = 'sk-live-77aa88bb99';
  const leaking = (text: string) =>
    graph(
      [node('start', 'start'), node('echo', 'http_request', { url: `${receiver.origin}/${text}?{{env.KEY}}` })],
      ['start > echo'],
    );
  const withSecret = (text: string) => ({
    ...toGraphResponse(leaking(text)),
    environment_variables: [{ name: 'KEY', type: 'secret', value: secret }],
  });
  const body = { name: 'Leaking', graph: withSecret('one') };
  const id = (await envelope<{ id: string }>(service, 'POST', '/workflows', body)).json.data.id;
  const runDraft = async () => (await runWorkflow(service, id, { version: 'draft' })).json.data.id;
  const first = await runDraft();
  await envelope(service, 'PATCH', `/workflows/${id}`, { graph: withSecret('two') });
  const { json } = await compare(first, await runDraft());
  expect(receiver.received.some(({ path }) => path.includes(secret))).toBe(true);
  const text = JSON.stringify(json);
  expect(text).toContain('answer to /two?[secret:KEY');
  expect(text).not.toContain(secret);
});

it('a comparison refuses runs of two workflows, unknown runs and runs of another workspace by name', async () => {
  const own = await runWith('Kim');
  const elsewhere = await publishedWorkflow(service, graph([node('start', 'start')], []));
  const unlike = (await runWorkflow(service, elsewhere)).json.data;
  const refused = await compare(own.id, unlike.id);
  expect(refused.status).toBe(422);
  expect(refused.json.message).toMatch(new RegExp(`^with: .*${elsewhere}.*Name two runs of one workflow`));
  const unknown = await compare(own.id, `run_${'0'.repeat(26)}`);
  expect([unknown.status, unknown.json.message]).toEqual([404, expect.stringMatching(/^with: Run not found/)]);
  const stranger = await createWorkspace();
  expect((await compare(own.id, own.id, stranger.apiKey)).status).toBe(404);
  expect((await envelope(service, 'GET', `/runs/${own.id}/comparison`)).status).toBe(400);
});
