import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Graph } from '../../../functions/workflows/domain/graph/graph.ts';
import { toGraphResponse } from '../../../functions/workflows/graph-wire.ts';
import { call } from '../../helpers/api.ts';
import { completionPath, createApplication } from '../../helpers/chat.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { useService } from '../../helpers/service.ts';
import { envelope, publishedWorkflow, type RunResponse, runThat, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const service = useService();
beforeEach(refillLimits);

const assign = (id: string, variable: string, value: string) =>
  node(id, 'assigner', { items: [{ variable: `conversation.${variable}`, operation: 'overwrite', value }] });
const asks = node('ask', 'approval', { message: 'Continue with {{sys.query}}?' });
const text = (name: string) => ({ name, type: 'text', initial: 'none', description: '' }) as const;
const shown = '{{conversation.before}} {{conversation.after}} {{conversation.other}}';

/** Messages that start with "ask" wait for an approval, between two changes; "other" changes another variable, and others show them all. */
const chatting = (): Graph => ({
  ...graph(
    [
      node('start', 'start'),
      node('which', 'condition', {
        cases: [
          { id: 'ask', conditions: [{ left: '{{sys.query}}', operator: 'starts_with', right: 'ask' }] },
          { id: 'other', conditions: [{ left: '{{sys.query}}', operator: 'starts_with', right: 'other' }] },
        ],
      }),
      assign('first', 'before', '{{sys.query}}'),
      asks,
      node('seen', 'template', { template: '{{ other }}' }, { inputs: { other: '{{conversation.other}}' } }),
      assign('second', 'after', '{{sys.query}}'),
      assign('third', 'other', '{{sys.query}}'),
      node('say', 'answer', { text: shown }),
    ],
    [
      ...['which:ask > first', 'first > ask', 'ask:approved > seen', 'seen > second', 'second > say'],
      ...['start > which', 'which:other > third', 'third > say', 'which:else > say'],
    ],
  ),
  conversation: [text('before'), text('after'), text('other')],
});

let workflow: string;
let application: string;
beforeAll(async () => {
  workflow = await publishedWorkflow(service, chatting());
  application = (await createApplication(service, { type: 'workflow', config: { workflow_id: workflow } })).id;
});

async function says(session: string, content: string): Promise<string> {
  const { json } = await call(service, 'POST', completionPath(application), {
    body: { messages: [{ role: 'user', content }] },
    headers: { 'x-session-id': session },
  });
  return (json as { choices: { message: { content: string } }[] }).choices[0]!.message.content;
}

/** Says something that waits. @returns the id of its run */
async function asked(session: string, content: string): Promise<string> {
  expect(await says(session, content)).toBe('Our staff is reviewing your request.');
  const path = `/workflows/${workflow}/runs?limit=1`;
  const { json } = await envelope<{ runs: { id: string }[] }>(service, 'GET', path);
  return json.data.runs[0]!.id;
}

async function approved(run: string): Promise<RunResponse> {
  expect((await envelope(service, 'POST', `/runs/${run}/approve`, {})).status).toBe(200);
  return runThat(service, run, ({ status }) => status === 'succeeded');
}

it('conversation variables that a run changes after its approval are in the next message, with those of messages in between', async () => {
  const waiting = await asked('one', 'ask A');
  expect(await says('one', 'show')).toBe('ask A none none');
  expect(await says('one', 'other B')).toBe('ask A none other B');
  const run = await approved(waiting);
  // As in Dify, the run continues with its own values.
  expect(run.nodes.find(({ execution_key }) => execution_key === 'seen')?.outputs).toEqual({ text: 'none' });
  expect(run.answer).toBe('ask A ask A none');
  expect(await says('one', 'show')).toBe('ask A ask A other B');
  expect(await says('one', 'show')).toBe('ask A ask A other B');
});

it('of two runs that wait in one conversation both leave their changes, in the order of their messages', async () => {
  const first = await asked('two', 'ask A');
  const second = await asked('two', 'ask B');
  expect((await approved(second)).answer).toBe('ask B ask B none');
  expect(await says('two', 'show')).toBe('ask B ask B none');
  await approved(first);
  expect(await says('two', 'show')).toBe('ask B ask A none');
});

it('other conversations get nothing of it', async () => {
  await approved(await asked('three', 'ask A'));
  expect(await says('four', 'show')).toBe('none none none');
});

it('a run that waits keeps the constants and secrets with which it started, though they are changed and published', async () => {
  const graphWith = (value: string) => ({
    ...toGraphResponse(
      graph(
        [node('start', 'start'), asks, node('say', 'answer', { text: '{{env.greeting}}' })],
        ['start > ask', 'ask:approved > say'],
      ),
    ),
    environment_variables: [{ name: 'greeting', type: 'text', value }],
  });
  const created = await envelope<{ id: string }>(service, 'POST', '/workflows', {
    name: 'Env',
    graph: graphWith('Old'),
  });
  const { id } = created.json.data;
  const publish = async () =>
    expect((await envelope(service, 'POST', `/workflows/${id}/versions`, {})).status).toBe(201);
  await publish();
  const waiting = await runWorkflow(service, id);
  await envelope(service, 'PATCH', `/workflows/${id}`, { graph: graphWith('New') });
  await publish();
  expect((await approved(waiting.json.data.id)).answer).toBe('Old');
  const next = await runWorkflow(service, id);
  expect((await approved(next.json.data.id)).answer).toBe('New');
});
