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

const pieceOf = (data: string) =>
  (JSON.parse(data) as { choices: { delta: { content?: string } }[] }).choices[0]?.delta.content ?? '';

/** A stream that is read as it comes: its text and its events, up to a piece or to its end. */
async function opened(content: string, headers: Record<string, string>, { path = application, isPublic = false } = {}) {
  const client = new AbortController();
  const response = await fetch(service.baseUrl + completionPath(path), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(!isPublic && { 'x-api-key': service.apiKey }), ...headers },
    body: JSON.stringify({ messages: [{ role: 'user', content }], stream: true }),
    signal: client.signal,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let read = '';
  const seen = () => {
    const data = read.split('\n\n').flatMap((block) => /^data: (.+)$/m.exec(block)?.[1] ?? []);
    const text = data
      .filter((each) => each.startsWith('{"id"'))
      .map(pieceOf)
      .join('');
    const events = [...read.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name!);
    return { text, events, isOver: data.at(-1) === '[DONE]', whole: read };
  };
  return {
    session: response.headers.get('x-session-id'),
    leave: () => client.abort(),
    async until(isThere: (text: string, isOver: boolean) => boolean) {
      while (!isThere(seen().text, seen().isOver)) {
        const { value, done } = await reader.read();
        if (done) break;
        read += value;
      }
      return seen();
    },
  };
}

describe('a stream of a conversation', () => {
  const isOver = (_: string, over: boolean) => over;

  it('stays open for the answer after an approval, which is in the history once', async () => {
    const session = { 'x-session-id': 'open' };
    const stream = await opened('pay 8', session);
    const first = await stream.until((text) => text !== '');
    expect([first.text, first.isOver]).toEqual([NOTICE, false]);
    await decided('approve', { comment: 'By Kim.' });
    const { text, events, isOver: ended } = await stream.until(isOver);
    expect([text, ended]).toEqual([`${NOTICE}\n\nDone: pay 8. By Kim.`, true]);
    expect(events.filter((name) => name === 'workflow_finished' || name === 'message_end')).toEqual([
      'workflow_finished',
      'message_end',
    ]);
    provider.plays(says('You are welcome.'));
    await said('Thanks', session);
    expect(promptOfLast()).toEqual([
      ['user', 'pay 8'],
      ['assistant', NOTICE],
      ['assistant', 'Done: pay 8. By Kim.'],
      ['user', 'Thanks'],
    ]);
  });

  it('of a visitor stays open as well, without what belongs to the workspace', async () => {
    const { token } = await createToken(service, application);
    const stream = await opened('pay 9', { 'x-session-id': 'new' }, { path: token, isPublic: true });
    await stream.until((text) => text === NOTICE);
    await decided('reject');
    const { text, whole } = await stream.until(isOver);
    expect(text).toBe(`${NOTICE}\n\nSorry, no.`);
    expect(whole).not.toMatch(/Internal|run_0|"outputs"|"inputs"/);
  });

  it('without a session stays open as well, and takes a message of the same caller meanwhile', async () => {
    const stream = await opened('pay 10', {});
    await stream.until((text) => text === NOTICE);
    provider.plays(says('Hello.'));
    expect((await said('Hi', {})).text).toBe('Hello.');
    await decided('approve', { comment: 'Now.' });
    expect((await stream.until(isOver)).text).toBe(`${NOTICE}\n\nDone: pay 10. Now.`);
  });

  it('that its client leaves cancels nothing: the answer is in the history', async () => {
    const session = { 'x-session-id': 'left' };
    const stream = await opened('pay 11', session);
    await stream.until((text) => text === NOTICE);
    // The notice goes out before the turn is stored.
    await eventually(async () => {
      const { json } = await envelope<object>(service, 'GET', `/applications/${application}/conversations`);
      return JSON.stringify(json).includes('pay 11');
    });
    stream.leave();
    await decided('approve', { comment: 'Later.' });
    provider.plays(says('Fine.'));
    await said('Thanks', session);
    expect(promptOfLast().map(([, content]) => content)).toEqual(['pay 11', NOTICE, 'Done: pay 11. Later.', 'Thanks']);
  });

  it.each(['0', '1'])('ends with the notice after X-Stream-Wait: %s seconds without a decision', async (seconds) => {
    const stream = await opened('pay 12', { 'x-stream-wait': seconds });
    expect((await stream.until(isOver)).text).toBe(NOTICE);
    await decided('reject');
  });

  it.each(['-1', '1.5', '301', 'x'])('is refused with X-Stream-Wait: %s', async (seconds) => {
    const body = { messages: [{ role: 'user', content: 'pay' }], stream: true };
    const headers = { 'x-stream-wait': seconds };
    const { status } = await call(service, 'POST', completionPath(application), { body, headers });
    expect(status).toBe(400);
    expect(await waitingRuns()).toEqual([]);
  });
});

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
