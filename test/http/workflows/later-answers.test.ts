import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHANNEL_TYPES } from '../../../functions/channels/domain/channel.ts';
import { type PlatformServer, startPlatformServer } from '../../../local/played-platforms/server.ts';
import { call } from '../../helpers/api.ts';
import { createChannel, eventually, sendMessage } from '../../helpers/channels.ts';
import { applicationOn, completionPath, createApplication, createToken } from '../../helpers/chat.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { type ScriptedProvider, says, scriptedProvider } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { envelope, publishedWorkflow, runThat } from '../../helpers/workflows/calls.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const service = useService();
let provider: ScriptedProvider;
let platform: PlatformServer;
let workflow: string;
let application: string;
const NOTICE = 'Our staff is reviewing your request.';

beforeAll(async () => {
  [provider, platform] = await Promise.all([scriptedProvider(), startPlatformServer()]);
  const model = await applicationOn(service, provider.baseUrl);
  const agent = { prompt: '{{sys.query}}', with_history: true, application_id: model.id };
  workflow = await publishedWorkflow(
    service,
    graph(
      [
        node('start', 'start'),
        node('which', 'condition', {
          cases: [{ id: 'pay', conditions: [{ left: '{{sys.query}}', operator: 'starts_with', right: 'pay' }] }],
        }),
        node('ask', 'approval', { message: 'Internal: {{sys.query}}?' }),
        node('paid', 'answer', { text: 'Done: {{sys.query}}. {{ask.comment}}' }),
        node('refused', 'answer', { text: 'Sorry, no.' }),
        node('talk', 'agent', agent),
        node('say', 'answer', { text: '{{talk.text}}' }),
      ],
      [
        ...['start > which', 'which:pay > ask', 'ask:approved > paid', 'ask:rejected > refused'],
        ...['which:else > talk', 'talk > say'],
      ],
    ),
  );
  application = (await createApplication(service, { type: 'workflow', config: { workflow_id: workflow } })).id;
});
afterAll(() => Promise.all([provider.stop(), platform.stop()]));
beforeEach(refillLimits);

async function said(content: string, headers: Record<string, string>, path = application, key?: null) {
  const body = { messages: [{ role: 'user', content }] };
  const { json, headers: answered } = await call(service, 'POST', completionPath(path), {
    ...{ body, headers },
    ...(key === null && { key }),
  });
  const { content: text } = (json as { choices: { message: { content: string } }[] }).choices[0]!.message;
  return { text, session: answered.get('x-session-id') };
}

const waitingRuns = async () =>
  (await envelope<{ runs: { id: string }[] }>(service, 'GET', `/workflows/${workflow}/runs?status=waiting`)).json.data
    .runs;

/** Decides on the only run that waits. */
async function decided(decision: 'approve' | 'reject', body: object = {}): Promise<void> {
  const [run, ...others] = await eventually(async () => {
    const found = await waitingRuns();
    return found.length > 0 && found;
  });
  expect(others).toEqual([]);
  expect((await envelope(service, 'POST', `/runs/${run!.id}/${decision}`, body)).status).toBe(200);
  await runThat(service, run!.id, ({ status }) => status === 'succeeded');
}

const promptOfLast = () => provider.requests.at(-1)!.body.messages.map(({ role, content }) => [role, content] as const);

describe('what a run answers after an approval', () => {
  it('is in the history that the next turn’s model is sent, once and in the order of time', async () => {
    const session = { 'x-session-id': 'later' };
    expect((await said('pay 5', session)).text).toBe(NOTICE);
    provider.plays(says('Please wait.'), says('You are welcome.'));
    expect((await said('Any news?', session)).text).toBe('Please wait.');
    await decided('approve', { comment: 'By Kim.' });
    expect((await said('Thanks', session)).text).toBe('You are welcome.');
    expect(promptOfLast()).toEqual([
      ['user', 'pay 5'],
      ['assistant', NOTICE],
      ['user', 'Any news?'],
      ['assistant', 'Please wait.'],
      ['assistant', 'Done: pay 5. By Kim.'],
      ['user', 'Thanks'],
    ]);
  });

  it('is in the history of a visitor of a public link, as a rejection is', async () => {
    const { token } = await createToken(service, application);
    const first = await said('pay 6', { 'x-session-id': 'new' }, token, null);
    expect(first.text).toBe(NOTICE);
    await decided('reject');
    provider.plays(says('Bye.'));
    await said('Why?', { 'x-session-id': first.session! }, token, null);
    expect(promptOfLast()).toEqual([
      ['user', 'pay 6'],
      ['assistant', NOTICE],
      ['assistant', 'Sorry, no.'],
      ['user', 'Why?'],
    ]);
  });

  it('is nowhere without a session', async () => {
    expect((await said('pay 7', {})).text).toBe(NOTICE);
    await decided('approve');
    const { json } = await envelope<object>(service, 'GET', `/applications/${application}/conversations`);
    expect(JSON.stringify(json)).not.toContain('pay 7');
  });

  it.each(CHANNEL_TYPES)(
    'is delivered to a person on a channel of the type %s, once, and is in the history',
    async (type) => {
      platform.plays('ok');
      const channel = await createChannel(service, type, platform.baseUrl, { application_id: application });
      const texts = () => platform.delivered.map(({ text }) => text);
      const before = texts().length;
      const post = (text: string) => sendMessage(service, channel, { text }, platform.baseUrl);
      await post(`pay ${type}`);
      await eventually(() => texts().length === before + 1);
      await decided('approve', { comment: 'By Lee.' });
      await eventually(() => texts().length === before + 2);
      expect(texts().slice(before)).toEqual([NOTICE, `Done: pay ${type}. By Lee.`]);
      provider.plays(says('Welcome.'));
      await post('Thanks');
      await eventually(() => texts().length === before + 3);
      expect(texts()[before + 2]).toBe('Welcome.');
      expect(promptOfLast()).toEqual([
        ['user', `pay ${type}`],
        ['assistant', NOTICE],
        ['assistant', `Done: pay ${type}. By Lee.`],
        ['user', 'Thanks'],
      ]);
    },
  );
});
