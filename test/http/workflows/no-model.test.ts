import { expect, it } from 'vitest';
import { complete, contentOf, createApplication } from '../../helpers/chat.ts';
import { useService } from '../../helpers/service.ts';
import { envelope, publishedWorkflow, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const service = useService();
const start = node('start', 'start');
const agents = graph(
  [start, node('ask', 'agent', { prompt: '{{sys.query}}' }), node('end', 'answer', { text: '{{ask.text}}' })],
  ['start > ask', 'ask > end'],
);

it('an agent without a model fails, and is warned of', async () => {
  const workflow = await publishedWorkflow(service, agents);
  const { json } = await runWorkflow(service, workflow, { query: 'Hello' });
  expect(json.data).toMatchObject({ status: 'failed', failure: { code: 'no_model', node_id: 'ask' } });
  const validated = await envelope<{ valid: boolean; issues: readonly object[] }>(
    service,
    'POST',
    `/workflows/${workflow}/validate`,
    {},
  );
  expect(validated.json.data).toMatchObject({
    valid: true,
    issues: [{ severity: 'warning', node_id: 'ask', message: expect.stringContaining('no_model') }],
  });
  const { id } = await createApplication(service, { type: 'workflow', config: { workflow_id: workflow } });
  const answer = await complete(service, id, { messages: [{ role: 'user', content: 'Hello' }] });
  expect([answer.status, JSON.stringify(answer.json)]).toEqual([502, expect.stringContaining('has no model')]);
});

it('the embedded model still quotes passages', async () => {
  const passages = [{ id: '1', title: 'Fees', text: 'A parcel costs 3,000 KRW.' }];
  const workflow = await publishedWorkflow(
    service,
    graph(
      [
        start,
        node('set', 'variable_assign', { values: { passages } }),
        node('ask', 'agent', { prompt: '{{sys.query}}', passages: '{{set.passages}}' }),
        node('end', 'answer', { text: '{{ask.text}}' }),
      ],
      ['start > set', 'set > ask', 'ask > end'],
    ),
  );
  const { json } = await runWorkflow(service, workflow, { query: 'How much is a parcel?' });
  expect(json.data.answer).toContain('3,000 KRW');
});

it('an application of type channel answers by its workflow, and one of type chat is refused one', async () => {
  const hello = graph([start, node('end', 'answer', { text: 'You said {{sys.query}}' })], ['start > end']);
  const config = { workflow_id: await publishedWorkflow(service, hello) };
  const { id } = await createApplication(service, { type: 'channel', config });
  const messages = [{ role: 'user', content: 'hi' }];
  expect(contentOf(await complete(service, id, { messages }))).toBe('You said hi');

  const refused = await envelope(service, 'POST', '/applications', { name: 'Chat', type: 'chat', config });
  expect([refused.status, refused.json.message]).toEqual([422, expect.stringContaining('config.workflow_id')]);
  const chat = await createApplication(service, { type: 'chat' });
  const changed = await envelope(service, 'PATCH', `/applications/${chat.id}`, { config });
  expect(changed.status).toBe(422);
});
