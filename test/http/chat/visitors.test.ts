import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { dynamoClient } from '../../../functions/adapters/dynamodb/client.ts';
import { accessTokenKey } from '../../../functions/adapters/dynamodb/keys.ts';
import { DynamoTable } from '../../../functions/adapters/dynamodb/table.ts';
import { environment } from '../../../functions/shared/environment.ts';
import { call } from '../../helpers/api.ts';
import { applicationOn, chatRefusalOf, complete, createToken, stream } from '../../helpers/chat.ts';
import { refillLimits } from '../../helpers/limits.ts';
import { events, fails, says, upstreamChunk } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { askFrom } from '../../helpers/visitor.ts';
import { useScriptedApplication } from '../../support/scripted-application.ts';

const service = useService();

const { provider, application } = useScriptedApplication(service);
let token: string;
let tokenId: string;
beforeAll(async () => {
  ({ token, id: tokenId } = await createToken(service, application.id));
});

const user = (content: string) => ({ role: 'user', content });
const prompts = () => provider.requests.map(({ body }) => body.messages);
const lastPrompt = () => prompts().at(-1)!;

/** A visitor's message: with a token, and with or without a session. */
const say = (content: string, session?: string, { by = token, headers = {} } = {}) =>
  complete(
    service,
    by,
    { messages: [user(content)] },
    { key: null, headers: { ...(session !== undefined && { 'x-session-id': session }), ...headers } },
  );

/** A new session whose visitor has mentioned a secret. */
async function sessionThatKnows(secret: string, by = token): Promise<string> {
  provider.plays(says('ok'));
  const { headers } = await say(secret, 'new', { by });
  return headers.get('x-session-id')!;
}

describe('a visitor', () => {
  it('a visitor gets an unguessable session id, whole or streamed, and continues with it', async () => {
    const session = await sessionThatKnows('I am Ann');
    expect(session).toMatch(/^vs_[\w-]{54}$/);
    const next = await stream(
      service,
      token,
      { messages: [user('Who am I?')] },
      { key: null, headers: { 'x-session-id': session } },
    );
    expect(next.headers.get('x-session-id')).toBe(session);
    expect(lastPrompt().map(({ content }) => content)).toEqual(['I am Ann', 'ok', 'Who am I?']);
    const streamed = await stream(service, token, {}, { key: null, headers: { 'x-session-id': 'new' } });
    expect(streamed.headers.get('x-session-id')).toMatch(/^vs_/);
    expect(streamed.headers.get('x-session-id')).not.toBe(session);
  });

  it('keeps nothing without the header', async () => {
    provider.plays(says('ok'));
    const { headers } = await say('one');
    expect(headers.get('x-session-id')).toBeNull();
    await say('two');
    expect(lastPrompt()).toEqual([user('two')]);
  });

  it('cannot choose the id of a session', async () => {
    const session = await sessionThatKnows('secret');
    const forged = [
      ...['resident 900101-1234567', 'New', '1', 'vs_', `vs_${'A'.repeat(54)}`],
      ...[session.slice(0, 25), session.slice(0, -1), `${session}A`, session.toUpperCase()],
      `${session.slice(0, -1)}${session.endsWith('A') ? 'B' : 'A'}`,
      `${session.slice(0, 3)}${session[3] === 'A' ? 'B' : 'A'}${session.slice(4)}`,
    ];
    const asked = provider.requests.length;
    for (const id of forged) {
      const refused = await say('what did they say?', id);
      expect(chatRefusalOf(refused)).toMatchObject({ status: 400, code: 'invalid_session' });
      expect(refused.headers.get('x-session-id')).toBeNull();
      await refillLimits();
    }
    expect(provider.requests.length).toBe(asked);
  });

  it('a visitor learns how to get sessions if the token is older than these', async () => {
    const { token: old, id } = await createToken(service, application.id);
    const table = new DynamoTable(dynamoClient(), environment('APPLICATIONS_TABLE').APPLICATIONS_TABLE);
    await table.update(accessTokenKey(id), { set: { name: 'old' }, remove: ['sessionKey'] });
    provider.plays(says('ok'));
    expect((await say('hello', undefined, { by: old })).status).toBe(200);
    expect(chatRefusalOf(await say('hello', 'new', { by: old }))).toMatchObject({ code: 'invalid_session' });
    await call(service, 'PATCH', `/api/v1/applications/${application.id}/access-tokens/${id}`, { body: {} });
    expect((await say('hello', 'new', { by: old })).headers.get('x-session-id')).toMatch(/^vs_/);
  });
});

describe('two visitors', () => {
  it('see nothing of each other, with every combination of token and session id', async () => {
    const other = (await createToken(service, application.id)).token;
    const elsewhere = await applicationOn(service, provider.baseUrl);
    const foreign = (await createToken(service, elsewhere.id)).token;
    const tokens = [token, other, foreign];
    const issued: { by: string; session: string; secret: string }[] = [];
    for (const [t, by] of tokens.entries())
      for (const visitor of ['Ann', 'Bob']) {
        const secret = `${visitor} with token ${t}: 900101-123456${issued.length}`;
        issued.push({ by, session: await sessionThatKnows(secret, by), secret });
        await refillLimits();
      }
    const secrets = issued.map(({ secret }) => secret);
    const ids = [undefined, 'new', 'resident', ...issued.flatMap(({ session }) => [session, session.slice(0, 25)])];
    let own = 0;
    for (const by of tokens)
      for (const id of ids) {
        await refillLimits();
        provider.plays(says('ok'));
        const { status } = await say('What do you know?', id, { by });
        const owner = issued.find(({ session, by: theirs }) => session === id && theirs === by);
        const allowed = owner !== undefined || id === undefined || id === 'new';
        expect([by, id, status]).toEqual([by, id, allowed ? 200 : 400]);
        const seen = JSON.stringify(prompts());
        expect(secrets.filter((secret) => seen.includes(secret))).toEqual(owner ? [owner.secret] : []);
        if (owner) own += 1;
      }
    expect(own).toBe(issued.length);
  });

  it('with one Idempotency-Key get an answer each, within their sessions and without any', async () => {
    const headers = { 'idempotency-key': 'order-1' };
    const [ann, bob] = [await sessionThatKnows('Ann’s'), await sessionThatKnows('Bob’s')];
    provider.plays(says('for Ann'), says('for Bob'), says('for Cid'), says('for Dan'));
    const answers = [];
    for (const session of [ann, bob, undefined, undefined]) {
      await refillLimits();
      answers.push(await say('my order', session, { headers }));
    }
    expect(answers.map(({ json }) => JSON.stringify(json).match(/for \w+/)?.[0])).toEqual([
      ...['for Ann', 'for Bob', 'for Cid', 'for Dan'],
    ]);
    expect((await say('my order', ann, { headers })).headers.get('idempotent-replayed')).toBe('true');
  });

  it('are apart from callers with a key who send the same session id', async () => {
    const session = await sessionThatKnows('secret of a visitor');
    for (const id of [session, session.slice(0, 25)]) {
      provider.plays(says('ok'));
      await complete(service, application.id, { messages: [user('hi')] }, { headers: { 'x-session-id': id } });
      expect(lastPrompt()).toEqual([user('hi')]);
    }
  });

  it('see nothing of each other over WebSockets', async () => {
    const session = await sessionThatKnows('secret of Ann');
    provider.plays(says('Hello'));
    const socket = await openSocket();
    const first = await answerTo(socket, { session_id: 'new', body: { messages: [user('I am Bob')] } });
    expect(first[0]).toEqual({ type: 'session', id: 'q', data: { session_id: expect.stringMatching(/^vs_/) } });
    const own = (first[0] as { data: { session_id: string } }).data.session_id;
    expect(own).not.toBe(session);
    await answerTo(socket, { session_id: own, body: { messages: [user('Who am I?')] } });
    expect(lastPrompt().map(({ content }) => content)).toEqual(['I am Bob', 'Hello', 'Who am I?']);
    await refillLimits();
    for (const forged of ['Ann', session.slice(0, 25), `${session}A`])
      expect(await answerTo(socket, { session_id: forged, body: { messages: [user('x')] } })).toMatchObject([
        { type: 'error', data: { code: 'invalid_session' } },
      ]);
  });
});

describe('the workspace', () => {
  it('finds a visitor’s conversation, with a session id that gives no access to it', async () => {
    const session = await sessionThatKnows('unique words of a visitor');
    const { json } = await call(service, 'GET', `/api/v1/applications/${application.id}/conversations`);
    const { conversations } = (json as { data: { conversations: { title: string; session_id: string }[] } }).data;
    const found = conversations.find(({ title }) => title === 'unique words of a visitor');
    expect(found).toMatchObject({ caller: { kind: 'public-token', id: tokenId }, session_id: session.slice(0, 25) });
    expect(chatRefusalOf(await say('x', found!.session_id))).toMatchObject({ status: 400 });
  });
});

describe('a visitor who asks without a pause', () => {
  it('a visitor is refused alone: visitors at other addresses continue without a limit', async () => {
    const { token: busy } = await createToken(service, application.id);
    provider.plays(fails(400));
    // More than the bucket of the token holds.
    const answers = await Promise.all(Array.from({ length: 350 }, () => askFrom(service, '127.0.0.2', busy)));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(300);
    expect((await askFrom(service, '127.0.0.3', busy)).status).toBe(400);
  });
});

const opened: WebSocket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.terminate();
});

async function openSocket(): Promise<WebSocket> {
  const socket = new WebSocket(`${service.baseUrl.replace('http', 'ws')}/api/v1/ws?token=${token}`);
  opened.push(socket);
  await new Promise((open, refused) => socket.once('open', open).once('error', refused));
  return socket;
}

/** All messages of one answer. */
function answerTo(socket: WebSocket, message: object): Promise<object[]> {
  return new Promise((resolve) => {
    const messages: object[] = [];
    const onMessage = (data: WebSocket.RawData) => {
      const received = JSON.parse(String(data)) as { type: string };
      messages.push(received);
      if (received.type !== 'done' && received.type !== 'error') return;
      socket.off('message', onMessage);
      resolve(messages);
    };
    socket.on('message', onMessage);
    socket.send(JSON.stringify({ type: 'chat', id: 'q', application_id: token, events: 'none', ...message }));
  });
}

it('a visitor gets no opaque members of the model’s answer, whole or streamed', async () => {
  const signature = { extra_content: { google: { thought_signature: 'c2lnbmF0dXJl' } } };
  provider.plays(
    events(
      upstreamChunk({ content: 'Hi', reasoning_details: [{ data: 'c2VjcmV0' }] }),
      upstreamChunk(signature, 'stop'),
      'data: [DONE]\n\n',
    ),
  );
  const own = await complete(service, application.id, { messages: [user('Hello')] });
  expect(JSON.stringify(own.json)).toContain('c2lnbmF0dXJl');
  await refillLimits();
  const whole = await say('Hello');
  const streamed = await stream(service, token, { messages: [user('Hello')] }, { key: null });
  expect([whole.status, streamed.text]).toEqual([200, 'Hi']);
  for (const member of ['c2lnbmF0dXJl', 'c2VjcmV0', 'extra_content', 'reasoning_details'])
    expect(JSON.stringify([whole.json, streamed.events])).not.toContain(member);
});
