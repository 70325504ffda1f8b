import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { runQueue } from '../../../functions/wiring/workflows/workflows.ts';
import type { Output, StreamEventType } from '../../../functions/workflows/domain/engine/engine-events.ts';
import type { JsonObject } from '../../../functions/workflows/domain/graph/graph.ts';
import { call } from '../../helpers/api.ts';
import { bearer } from '../../helpers/auth.ts';
import { joinedMember } from '../../helpers/members.ts';
import { useService } from '../../helpers/service.ts';
import {
  envelope,
  framesOfRun,
  publishedWorkflow,
  type RunResponse,
  runStream,
  runThat,
  runWorkflow,
} from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';
import { orderFault } from '../../helpers/workflows/simulator/event-order.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

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
  expect(more.json.message).toContain('colour: is not a field of the start node, which has name');
});

it('waits for an approval, and continues with it in the background', async () => {
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

it('takes the other way when it is rejected', async () => {
  const id = await publishedWorkflow(
    service,
    graph(
      [start, node('ask', 'approval', { message: '?' }), end('{{ask.decision}}: {{ask.comment}}')],
      ['start > ask', 'ask:approved > end', 'ask:rejected > end'],
    ),
  );
  const { json } = await runWorkflow(service, id, { inputs: { name: 'kim' } });
  expect((await envelope(service, 'POST', `/runs/${json.data.id}/reject`, { comment: 'too much' })).status).toBe(200);
  const ended = await runThat(service, json.data.id, (run) => run.status === 'succeeded');
  expect(ended.answer).toBe('rejected: too much');
});

it('a viewer sees what a run waits for, and decides nothing; of two decisions at once one counts', async () => {
  const id = await publishedWorkflow(
    service,
    graph(
      [start, node('ask', 'approval', { message: '?' }), end('{{ask.decision}}')],
      ['start > ask', 'ask:approved > end', 'ask:rejected > end'],
    ),
  );
  const { json } = await runWorkflow(service, id, { inputs: { name: 'kim' } });
  const path = `/api/v1/runs/${json.data.id}`;
  const { tokens } = await joinedMember(service, service, 'viewer');
  const asViewer = { key: null, headers: bearer(tokens.access_token) };
  expect((await call(service, 'GET', path, asViewer)).json).toMatchObject({
    data: { status: 'waiting', pending_approvals: [{ execution_key: 'ask' }] },
  });
  for (const act of ['approve', 'reject'])
    expect((await call(service, 'POST', `${path}/${act}`, { ...asViewer, body: {} })).status).toBe(403);
  expect((await call(service, 'DELETE', path, asViewer)).status).toBe(403);
  const answers = await Promise.all(
    ['approve', 'reject', 'approve', 'reject'].map((act) => call(service, 'POST', `${path}/${act}`, { body: {} })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  await runThat(service, json.data.id, (run) => run.status === 'succeeded');
});

interface RunChunk {
  readonly id: string;
  readonly choices: readonly { readonly delta: { readonly content?: string }; readonly finish_reason: string | null }[];
  readonly event?: Readonly<Record<string, unknown>> & { readonly type: string; readonly seq: number };
}

const streamOf = (id: string, body: object, signal?: AbortSignal) => runStream(service, id, body, signal);
const framesOf = (id: string, body: object) => framesOfRun(service, id, body);

it('streams a run: every event in its order under the run’s id, the answer, and one end', async () => {
  const branches = ['left', 'right'].map((id) => node(id, 'template', { template: id }));
  const each = node('each', 'iteration', { items: [1, 2, 3], output: '{{line.text}}', concurrency: 2 });
  const line = node('line', 'template', { template: '{{ n }}' }, { inputs: { n: '{{each.item}}' }, parentId: 'each' });
  const text = '{{left.text}} {{right.text}} {{each.results}}';
  const id = await publishedWorkflow(
    service,
    graph(
      [start, ...branches, each, line, end(text)],
      ['start > left', 'start > right', 'left > each', 'right > each', 'each > end'],
    ),
  );
  const frames = await framesOf(id, { inputs: { name: 'kim' } });
  expect(frames.at(-1)).toEqual({ name: null, data: '[DONE]' });
  const chunks = frames.slice(0, -1).map(({ name, data }) => ({ name, chunk: JSON.parse(data) as RunChunk }));
  const [first] = chunks;
  expect(first!.chunk.id).toMatch(/^run_/);
  const runId = first!.chunk.id;
  for (const { name, chunk } of chunks) {
    expect(chunk.id).toBe(runId);
    expect(name).toBe(chunk.event?.type ?? null);
  }
  const events = chunks.flatMap(({ chunk }) => (chunk.event ? [chunk.event] : []));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  expect(new Set(events.map(({ run_id }) => run_id))).toEqual(new Set([runId]));
  const shown: Output[] = events.map(({ type, seq: _, run_id: __, session_id: ___, ts: ____, ...payload }) => ({
    kind: 'event',
    type: type as StreamEventType,
    payload: payload as JsonObject,
  }));
  expect(shown.at(-1)).toMatchObject({ type: 'message_end' });
  expect(orderFault(shown.slice(0, -1))).toBeNull();
  const count = (type: string) => events.filter((event) => event.type === type).length;
  expect([count('iteration_next'), count('parallel_branch_finished'), count('node_finished')]).toEqual([3, 2, 8]);
  expect(chunks.map(({ chunk }) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('left right ["1","2","3"]');
  expect(chunks.filter(({ chunk }) => chunk.choices[0]?.finish_reason === 'stop')).toHaveLength(1);
  const { json } = await envelope<RunResponse>(service, 'GET', `/runs/${runId}`);
  expect(json.data).toMatchObject({ status: 'succeeded', answer: 'left right ["1","2","3"]' });
});

it('the stream of a run that fails ends with its error, and nothing after it', async () => {
  const bad = node('bad', 'code', { language: 'python', code: 'print(1)' });
  const id = await publishedWorkflow(service, graph([start, bad], ['start > bad']));
  const frames = await framesOf(id, { inputs: { name: 'kim' } });
  expect(frames.map(({ name }) => name).slice(-4)).toEqual(['node_finished', 'workflow_finished', 'error', null]);
  expect(JSON.parse(frames.at(-2)!.data)).toMatchObject({
    code: expect.any(String),
    message: expect.stringContaining('must print one JSON object'),
  });
});

it('a run whose client goes away is cancelled, and its program with it', async () => {
  const slow = node('slow', 'code', { language: 'bash', code: 'sleep 60; echo {}' });
  const id = await publishedWorkflow(service, graph([start, slow], ['start > slow']));
  const leaving = new AbortController();
  const response = await streamOf(id, { inputs: { name: 'kim' } }, leaving.signal);
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of response.body!) {
    text += decoder.decode(part, { stream: true });
    if (text.includes('"node_id":"slow"')) break;
  }
  leaving.abort();
  const runId = /"id":"(run_\w+)"/.exec(text)![1]!;
  const ended = await runThat(service, runId, ({ status }) => status !== 'running');
  expect([ended.status, ended.nodes.at(-1)?.status]).toEqual(['cancelled', 'cancelled']);
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

it('one Idempotency-Key starts one run, whose answer and stream come again', async () => {
  const id = await publishedWorkflow(
    service,
    graph([start, greet, end('{{greet.text}}')], ['start > greet', 'greet > end']),
  );
  const send = (body: object, key: string) =>
    call(service, 'POST', `/api/v1/workflows/${id}/run`, { body, headers: { 'idempotency-key': key } });
  const runOf = ({ json }: { readonly json: unknown }) => (json as { data: RunResponse }).data;
  const body = { inputs: { name: 'kim' } };
  const [first, second] = [await send(body, 'one'), await send(body, 'one')];
  expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true']);
  expect(runOf(second)).toEqual(runOf(first));
  expect(runOf(await send(body, 'two')).id).not.toBe(runOf(first).id);
  const other = await send({ inputs: { name: 'lee' } }, 'one');
  expect([other.status, (other.json as { message: string }).message]).toEqual([
    422,
    expect.stringContaining('used with another body'),
  ]);
  const stream = async () => {
    const response = await fetch(`${service.baseUrl}/api/v1/workflows/${id}/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': service.apiKey, 'idempotency-key': 'three' },
      body: JSON.stringify({ ...body, stream: true }),
    });
    const text = await response.text();
    return text.match(/"type":"\w+","seq":\d+,"run_id":"\w+"/g);
  };
  const streamed = await stream();
  expect([streamed?.length, await stream()]).toEqual([9, streamed]);
  const atOnce = await Promise.all(Array.from({ length: 5 }, () => send(body, 'four')));
  const ids = new Set(atOnce.filter(({ status }) => status === 200).map((each) => runOf(each).id));
  expect([ids.size, atOnce.every(({ status }) => status === 200 || status === 409)]).toEqual([1, true]);
});

it('a run of another workspace does not wait behind five thousand of one', async () => {
  const runId = (n: number) => `run_${String(n).padStart(26, '0')}`;
  const greedy = Array.from({ length: 5_000 }, (_, n) => ({ workspaceId: 'ws_greedy', runId: runId(n) }));
  await runQueue().send(greedy);
  const other = await createWorkspace();
  const caller = { baseUrl: service.baseUrl, apiKey: other.apiKey };
  const id = await publishedWorkflow(caller, graph([start, end('Hi {{start.name}}')], ['start > end']));
  const { json } = await runWorkflow(caller, id, { inputs: { name: 'kim' }, background: true });
  const waiting = async () => {
    const client = new SQSClient({ useQueueUrlAsEndpoint: false });
    const QueueUrl = service.aws.queue('runs').url;
    const AttributeNames = ['ApproximateNumberOfMessages'] as const;
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }),
    );
    return Number(Attributes?.ApproximateNumberOfMessages);
  };
  expect((await runThat(caller, json.data.id, (run) => run.status === 'succeeded')).answer).toBe('Hi kim');
  expect(await waiting()).toBeGreaterThan(1_000);
});
