import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import { completionPath, createApplication, createToken } from '../../helpers/chat.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { useService } from '../../helpers/service.ts';
import { envelope, publishedWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const service = useService();
beforeEach(refillLimits);

const SECRET = 'Internal: refund 50000 KRW, margin 12%?';
const waits = {
  approval: { message: SECRET },
  human_input: {
    message: SECRET,
    fields: [{ name: 'iban', type: 'text' }],
    actions: [{ id: 'pay', title: 'Pay out' }],
  },
} as const;

/** An application whose runs wait. @param before the text of an answer before the wait */
async function waiting(type: keyof typeof waits, config: object = {}, before?: string): Promise<string> {
  const ask = node('ask', type, { ...waits[type], ...config });
  const nodes = [node('start', 'start'), ask, node('say', 'answer', { text: 'Paid.' })];
  const handle = type === 'approval' ? 'approved' : 'pay';
  const workflow = await publishedWorkflow(
    service,
    before === undefined
      ? graph(nodes, ['start > ask', `ask:${handle} > say`])
      : graph(
          [
            ...nodes,
            node('first', 'template', { template: before }),
            node('told', 'answer', { text: '{{first.text}}' }),
          ],
          ['start > first', 'first > told', 'first > ask', `ask:${handle} > say`],
        ),
  );
  return (await createApplication(service, { type: 'workflow', config: { workflow_id: workflow } })).id;
}

async function said(application: string, content: string): Promise<string> {
  const { json } = await call(service, 'POST', completionPath(application), {
    body: { messages: [{ role: 'user', content }] },
  });
  return (json as { choices: { message: { content: string } }[] }).choices[0]!.message.content;
}

describe.each(['approval', 'human_input'] as const)('a caller whose message waits at a node of the type %s', (type) => {
  let application: string;
  beforeAll(async () => {
    application = await waiting(type);
  });

  it('gets a neutral notice in the language of the message', async () => {
    expect(await said(application, 'Refund, please')).toBe('Our staff is reviewing your request.');
    expect(await said(application, '환불해 주세요')).toBe('요청하신 내용을 담당자가 확인하고 있습니다.');
  });

  it('gets the notice of the node in its place, with values', async () => {
    const own = await waiting(type, { notice: '  About “{{sys.query}}”: by tomorrow.' });
    expect(await said(own, 'a refund')).toBe('About “a refund”: by tomorrow.');
  });

  it('gets no event of a public stream with what the staff is asked, or with the id of the run', async () => {
    const { token } = await createToken(service, application);
    const response = await fetch(service.baseUrl + completionPath(token), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-stream-events': 'named', 'x-stream-wait': '0' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Refund' }], stream: true }),
    });
    const text = await response.text();
    expect(text).toContain('"status":"waiting"');
    expect(text).toContain('Our staff is reviewing your request.');
    for (const hidden of ['Internal', 'margin', 'iban', 'Pay out', 'Approve', 'run_0', '/forms/'])
      expect(text).not.toContain(hidden);
  });

  it('is in the list of runs for the staff, with the message', async () => {
    await said(application, 'Refund');
    const { json } = await envelope<{ config: { workflow_id: string } }>(
      service,
      'GET',
      `/applications/${application}`,
    );
    const { workflow_id } = json.data.config;
    const listed = await envelope<{ runs: { id: string }[] }>(
      service,
      'GET',
      `/workflows/${workflow_id}/runs?status=waiting`,
    );
    const run = await envelope<object>(service, 'GET', `/runs/${listed.json.data.runs[0]!.id}`);
    expect(JSON.stringify(run.json.data)).toContain(SECRET);
  });
});

it('a workflow that has answered before the wait adds only the notice of its node', async () => {
  expect(await said(await waiting('approval', {}, 'One moment.'), 'Hi')).toBe('One moment.');
  expect(await said(await waiting('approval', { notice: 'By tomorrow.' }, 'One moment.'), 'Hi')).toBe(
    'One moment.\n\nBy tomorrow.',
  );
});
