import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHANNEL_TYPES } from '../../../functions/channels/domain/channel.ts';
import { toGraphResponse } from '../../../functions/workflows/graph-wire.ts';
import { type PlatformServer, startPlatformServer } from '../../../local/played-platforms/server.ts';
import { createChannel, eventually } from '../../helpers/channels.ts';
import { completionPath, createApplication, createToken } from '../../helpers/chat.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { joinedMember, type Member, mailsTo, mailTo } from '../../helpers/members.ts';
import { useService } from '../../helpers/service.ts';
import { envelope, publishedWorkflow, runThat, runWorkflow } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();
let platform: PlatformServer;
let member: Member;

beforeAll(async () => {
  platform = await startPlatformServer();
  platform.plays('ok');
  member = await joinedMember(service, service, 'admin');
});
afterAll(() => platform.stop());
beforeEach(refillLimits);

const form = {
  message: 'Refund {{sys.query}}, because {{$output.reason}}?',
  fields: [{ name: 'reason', type: 'text', label: 'Reason' }],
  actions: [{ id: 'pay', title: 'Pay out' }],
};
const graphThat = (notify: object, config: object = form) =>
  graph(
    [
      node('start', 'start'),
      node('ask', 'human_input', { ...config, notify: notify as never }, { title: 'Refund' }),
      node('say', 'answer', { text: 'Paid: {{ask.reason}}.' }),
    ],
    ['start > ask', 'ask:pay > say'],
  );

const LINK = /http:\/\/127\.0\.0\.1:\d+\/api\/v1\/forms\/[\w.-]+/;

function answerBy(link: string) {
  const body = JSON.stringify({ reason: 'Broken', action: 'pay' });
  return fetch(link, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
}

const texts = () => platform.delivered.map(({ text }) => text);

describe('a form that names people of the workspace', () => {
  it.each(CHANNEL_TYPES)('is sent to a conversation of a channel of the type %s, once, with its link', async (type) => {
    const { id } = await createChannel(service, type, platform.baseUrl);
    const before = texts().length;
    const workflow = await publishedWorkflow(service, graphThat({ channel_id: id, to: 'STAFF1' }));
    const { json } = await runWorkflow(service, workflow, { query: '<5> KRW' });
    expect(json.data.status).toBe('waiting');
    await eventually(() => texts().length > before);
    const [text, ...more] = texts().slice(before);
    expect(more).toEqual([]);
    for (const part of ['Refund: An answer is needed', 'because [Reason]?', 'This link works once.'])
      expect(text!.replaceAll('\\', '')).toContain(part);
    const link = LINK.exec(text!.replaceAll('\\', ''))![0];
    expect((await answerBy(link)).status).toBe(200);
    await runThat(service, json.data.id, ({ status }) => status === 'succeeded');
    expect((await answerBy(link)).status).toBe(409);
    expect(texts().length).toBe(before + 1);
  });

  it('is mailed to members, once, with its link', async () => {
    const workflow = await publishedWorkflow(service, graphThat({ emails: [member.email.toUpperCase()] }));
    const before = mailsTo(service, member.email).length;
    const { json } = await runWorkflow(service, workflow, { query: '5 KRW' });
    const mail = await eventually(
      () => mailsTo(service, member.email)[0]?.includes('5 KRW') && mailTo(service, member.email),
    );
    expect(mail).toContain('Refund 5 KRW, because [Reason]?');
    expect((await answerBy(LINK.exec(mail)![0])).status).toBe(200);
    expect((await runThat(service, json.data.id, ({ status }) => status === 'succeeded')).answer).toBe('Paid: Broken.');
    expect(mailsTo(service, member.email).length).toBe(before + 1);
  });

  it('shows visitors nothing of it', async () => {
    const { id } = await createChannel(service, 'custom', platform.baseUrl);
    const workflow = await publishedWorkflow(
      service,
      graphThat({ channel_id: id, to: 'STAFF1', emails: [member.email] }),
    );
    const application = (await createApplication(service, { type: 'workflow', config: { workflow_id: workflow } })).id;
    const { token } = await createToken(service, application);
    for (const stream of [true, false]) {
      const before = texts().length;
      const answered = await fetch(service.baseUrl + completionPath(token), {
        ...{ method: 'POST', headers: { 'content-type': 'application/json', 'x-stream-wait': '0' } },
        body: JSON.stringify({ messages: [{ role: 'user', content: 'ten KRW' }], stream }),
      });
      const shown = await answered.text();
      await eventually(() => texts().length > before);
      expect(shown).toContain('Our staff is reviewing your request.');
      for (const secret of ['because', '[Reason]', 'run_0', 'STAFF1', id, member.email, '/forms/'])
        expect(shown).not.toContain(secret);
    }
  });
});

describe('a graph whose form names people', () => {
  let workflow: string;
  beforeAll(async () => {
    const created = await envelope<{ id: string }>(service, 'POST', '/workflows', {
      ...{ name: 'Refunds', graph: toGraphResponse(graphThat({ emails: [member.email] })) },
    });
    workflow = created.json.data.id;
  });

  interface Validated {
    readonly valid: boolean;
    readonly issues: readonly { readonly field: string; readonly code: string; readonly message: string }[];
  }
  async function validated(notify: object) {
    const body = { graph: toGraphResponse(graphThat(notify)) };
    const { json } = await envelope<Validated>(service, 'POST', `/workflows/${workflow}/validate`, body);
    return json.data.issues.map(({ field, code }) => [field, code]);
  }

  it('is refused for a channel that is unknown, or of another workspace', async () => {
    const foreign = await createChannel({ ...service, ...(await createWorkspace()) }, 'custom', platform.baseUrl);
    for (const channel_id of [foreign.id, 'chn_01KB2Q3R4S5T6V7W8X9Y0Z1A2B'])
      expect(await validated({ channel_id, to: 'c' })).toEqual([['config.notify.channel_id', 'channel_unknown']]);
    await envelope(service, 'PATCH', `/workflows/${workflow}`, {
      graph: toGraphResponse(graphThat({ channel_id: foreign.id, to: 'c' })),
    });
    const refused = await envelope(service, 'POST', `/workflows/${workflow}/versions`, {});
    expect([refused.status, refused.json.message]).toEqual([
      422,
      `The graph cannot be run. Node "Refund": config.notify.channel_id is the id of no channel of the workspace: ${foreign.id}. Correct it.`,
    ]);
    const before = texts().length;
    const run = await runWorkflow(service, workflow, { version: 'draft' });
    expect(run.json.data.status).toBe('waiting');
    await runThat(service, run.json.data.id, ({ status }) => status === 'waiting');
    expect(texts().length).toBe(before);
  });

  it('is refused for addresses that belong to no member, or are malformed', async () => {
    expect(await validated({ emails: [member.email, 'stranger@example.com'] })).toEqual([
      ['config.notify.emails.1', 'no_member'],
    ]);
    expect(await validated({ emails: ['{{sys.query}}'] })).toEqual([
      ['config.notify.emails.0', 'wrong_value'],
      ['config.notify.emails.0', 'no_member'],
    ]);
  });

  it('is refused for half a channel, or for no one', async () => {
    const { id } = await createChannel(service, 'custom', platform.baseUrl);
    expect(await validated({ channel_id: id })).toEqual([['config.notify', 'notify_half']]);
    expect(await validated({ to: 'c' })).toEqual([['config.notify', 'notify_half']]);
    expect(await validated({})).toEqual([['config.notify', 'notify_empty']]);
    expect(await validated({ channel_id: id, to: 'c' })).toEqual([]);
  });
});
