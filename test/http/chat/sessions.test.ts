import { describe, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import { applicationOn, chatRefusalOf, complete, contentOf, sendStream, stream } from '../../helpers/chat.ts';
import { callsTool, fails, hangs, says, USAGE } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';
import { useScriptedApplication } from '../../support/scripted-application.ts';

const service = useService();

const { provider, application } = useScriptedApplication(service, { system_prompt: 'Be kind.' });

let sessions = 0;
const newSession = () => `session ${++sessions}`;
const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const lastPrompt = () => provider.requests.at(-1)!.body.messages.filter(({ role }) => role !== 'system');

const say = (session: string, content: string, more: { headers?: object; id?: string; key?: string } = {}) =>
  complete(
    service,
    more.id ?? application.id,
    { messages: [user(content)] },
    {
      headers: { 'x-session-id': session, ...more.headers },
      ...(more.key !== undefined && { key: more.key }),
    },
  );

describe('a session', () => {
  it('is remembered, streamed or not, and its prompt is the application’s each time', async () => {
    const session = newSession();
    provider.plays(says('Hello Ann'), says('You are Ann'), says('Bye'));
    await say(session, 'I am Ann');
    await stream(service, application.id, { messages: [user('Who am I?')] }, { headers: { 'x-session-id': session } });
    await say(session, 'Bye');
    expect(lastPrompt()).toEqual([
      user('I am Ann'),
      assistant('Hello Ann'),
      user('Who am I?'),
      assistant('You are Ann'),
      user('Bye'),
    ]);
    expect(provider.requests.at(-1)!.body.messages[0]).toEqual({ role: 'system', content: 'Be kind.' });
  });

  it('is understood of clients that resend the whole history', async () => {
    const headers = { 'x-session-id': newSession() };
    provider.plays(says('1'), says('2'));
    await complete(service, application.id, { messages: [user('one')] }, { headers });
    const messages = [user('one'), { role: 'assistant', content: '1' }, user('two')];
    await complete(service, application.id, { messages }, { headers });
    expect(lastPrompt()).toEqual([user('one'), assistant('1'), user('two')]);
  });

  it('keeps calls of the client’s tools with their results', async () => {
    const headers = { 'x-session-id': newSession() };
    provider.plays(callsTool('f', '{}'), says('42'), says('ok'));
    await complete(service, application.id, { messages: [user('q')] }, { headers });
    const result = { role: 'tool', tool_call_id: 'call_1', content: '42' };
    await complete(service, application.id, { messages: [result] }, { headers });
    await complete(service, application.id, { messages: [user('next')] }, { headers });
    expect(lastPrompt().map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  });

  it('is one for each caller and application, and nothing is kept without the header', async () => {
    const session = newSession();
    provider.plays(says('ok'));
    await say(session, 'secret');
    const other = await applicationOn(service, provider.baseUrl);
    await say(session, 'elsewhere', { id: other.id });
    expect(lastPrompt()).toEqual([user('elsewhere')]);
    await complete(service, application.id, { messages: [user('none')] });
    expect(lastPrompt()).toEqual([user('none')]);
    const stranger = await createWorkspace();
    const foreign = await say(session, 'x', { key: stranger.apiKey });
    expect(foreign.status).toBe(404);
  });

  it('loses no turn of requests that come at once', async () => {
    const session = newSession();
    provider.plays(says('ok'));
    const words = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all(words.map((word) => say(session, word)));
    expect(answers.map(contentOf)).toEqual(['ok', 'ok', 'ok', 'ok']);
    await say(session, 'end');
    const said = lastPrompt().flatMap(({ role, content }) => (role === 'user' ? [content] : []));
    expect(said.slice(0, 4).sort()).toEqual(words);
    expect(lastPrompt()).toHaveLength(9);
  });

  it('has no half turn of an answer that failed, or whose client went away', async () => {
    const session = newSession();
    provider.plays(fails(400), hangs('Hel'), says('ok'));
    await say(session, 'failed');
    const client = new AbortController();
    const headers = { 'x-session-id': session };
    const body = { messages: [user('left')] };
    const response = await sendStream(service, application.id, body, { headers }, client.signal);
    await response.body!.getReader().read();
    client.abort();
    await provider.requests.at(-1)!.aborted;
    await say(session, 'now');
    expect(lastPrompt()).toEqual([user('now')]);
  });

  it('gives a request that is sent again with its Idempotency-Key the answer that was recorded', async () => {
    const session = newSession();
    const headers = { 'idempotency-key': 'k-1' };
    provider.plays(says('first'), says('second'));
    const first = await say(session, 'q', { headers });
    const again = await say(session, 'q', { headers });
    expect(again.json).toMatchObject({ ...(first.json as object), created: expect.any(Number) });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(provider.requests).toHaveLength(1);
    const other = await say(session, 'another', { headers });
    expect(chatRefusalOf(other)).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    await say(session, 'next');
    expect(lastPrompt()).toEqual([user('q'), assistant('first'), user('next')]);
  });

  it('of two requests at once with one Idempotency-Key asks the model for the first alone; a failed one frees its key', async () => {
    const session = newSession();
    const headers = { 'idempotency-key': 'k-2' };
    const answered = Promise.withResolvers<void>();
    provider.plays(async (response, request) => {
      await answered.promise;
      await says('first')(response, request);
    });
    const first = say(session, 'q', { headers });
    await expect.poll(() => provider.requests.length, { timeout: 20_000 }).toBe(1);
    const second = await say(session, 'q', { headers });
    expect(chatRefusalOf(second)).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
    expect(second.headers.get('retry-after')).toBe('2');
    answered.resolve();
    expect(contentOf(await first)).toBe('first');
    expect(contentOf(await say(session, 'q', { headers }))).toBe('first');
    expect(provider.requests).toHaveLength(1);

    provider.plays(fails(400), says('better'));
    expect((await say(session, 'r', { headers: { 'idempotency-key': 'k-3' } })).status).toBe(400);
    expect(contentOf(await say(session, 'r', { headers: { 'idempotency-key': 'k-3' } }))).toBe('better');
  });

  it('leaves out messages older than the application’s window', async () => {
    const { id } = await applicationOn(service, provider.baseUrl, { history_tokens: 60 });
    const session = newSession();
    provider.plays(says('ok'));
    for (const word of ['old', 'new']) await say(session, `${word} ${'x'.repeat(120)}`, { id });
    await say(session, 'end', { id });
    expect(lastPrompt()).toEqual([user(`new ${'x'.repeat(120)}`), assistant('ok'), user('end')]);
  });
});

it('calls and tokens are counted by application, once for a turn', async () => {
  const { id } = await applicationOn(service, provider.baseUrl);
  provider.plays(says('ok'));
  await complete(service, id, {});
  for (let n = 0; n < 2; n++) await say('counted', 'q', { id, headers: { 'idempotency-key': 'once' } });
  const counted = async () => {
    const { json } = await call(service, 'GET', '/api/v1/usage?group_by=application');
    const { groups } = (json as { data: { groups: { group: string }[] } }).data;
    return groups.find(({ group }) => group === id);
  };
  const { prompt_tokens, completion_tokens } = USAGE;
  await expect
    .poll(counted)
    .toMatchObject({ calls: 2, tokens_in: 2 * prompt_tokens, tokens_out: 2 * completion_tokens });
});
