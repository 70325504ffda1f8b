import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import WebSocket from 'ws';
import { call } from '../../helpers/api.ts';
import { applicationOn, createToken } from '../../helpers/chat.ts';
import { callsTool, fails, hangs, says, USAGE, upstreamChunk } from '../../helpers/scripted-provider.ts';
import { useService } from '../../helpers/service.ts';
import { changeKey, createWorkspace } from '../../helpers/workspace.ts';
import { useScriptedApplication } from '../../support/scripted-application.ts';

const service = useService();

const { provider, application } = useScriptedApplication(service, { tools: [{ type: 'code_interpreter' }] });

interface SocketMessage {
  readonly type: string;
  readonly id?: string;
  readonly data: { readonly choices?: [{ readonly delta: { readonly content?: string } }]; readonly code?: string };
}

const opened: WebSocket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.terminate();
});

/** An open connection, and what comes over it. */
async function connect({ token, protocols = [] }: { token?: string; protocols?: string[] }) {
  const query = token === undefined ? '' : `?token=${token}`;
  const socket = new WebSocket(`${service.baseUrl.replace('http', 'ws')}/api/v1/ws${query}`, protocols);
  opened.push(socket);
  const messages: SocketMessage[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  await new Promise((open, refused) => {
    socket.once('open', open);
    socket.once('unexpected-response', (_, response) => refused(new Error(`status ${response.statusCode}`)));
    socket.once('error', refused);
  });
  const send = (message: object | string) =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  const body = { messages: [{ role: 'user', content: 'Hello' }] };
  return {
    socket,
    messages,
    send,
    chat: (more: object = {}) => send({ type: 'chat', application_id: application.id, body, ...more }),
    until: (type: string) =>
      expect.poll(() => messages.some((message) => message.type === type), { timeout: 30_000 }).toBe(true),
  };
}

const textOf = (messages: readonly SocketMessage[]) =>
  messages.map(({ type, data }) => (type === 'message' ? (data.choices?.[0]?.delta.content ?? '') : '')).join('');

it.each([
  ['a query', () => ({ token: service.apiKey })],
  ['a subprotocol', () => ({ protocols: ['bearer', service.apiKey] })],
])('a connection with its credential in %s gets the events of a stream', async (_, credential) => {
  provider.plays(callsTool('code_interpreter', '{"code":"print(1)"}'), says('It', ' is 1.'));
  const { socket, messages, chat, until } = await connect(credential());
  expect(socket.protocol).toBe('protocols' in credential() ? 'bearer' : '');
  chat({ id: 'mine' });
  await until('done');
  expect(textOf(messages)).toBe('It is 1.');
  expect([...new Set(messages.map(({ type }) => type))]).toEqual([
    ...[
      'tool_call_started',
      'tool_call_delta',
      'agent_thought',
      'tool_call_finished',
      'message',
      'message_end',
      'done',
    ],
  ]);
  expect(new Set(messages.map(({ id }) => id))).toEqual(new Set(['mine']));
});

it('a connection without a valid credential is refused', async () => {
  await expect(connect({})).rejects.toThrow('status 401');
  await expect(connect({ token: `${service.apiKey}x` })).rejects.toThrow('status 401');
  const narrow = await createWorkspace();
  await changeKey(narrow.keyId, { scopes: ['sandbox'] });
  await expect(connect({ token: narrow.apiKey })).rejects.toThrow('status 403');
});

it('a public access token chats with its own application, and with no other', async () => {
  const { token } = await createToken(service, application.id);
  provider.plays(says('public'));
  const { messages, chat, until } = await connect({ token });
  chat({ application_id: token, body: { messages: [{ role: 'user', content: 'Hi' }] } });
  await until('done');
  expect(textOf(messages)).toBe('public');
  chat();
  await until('error');
  const message = expect.stringContaining('Send the access token itself as application_id');
  expect(messages.at(-1)).toEqual({ type: 'error', data: { code: 'not_found', message } });
});

it('invalid messages are errors, and the connection stays open', async () => {
  provider.plays(fails(401));
  const { messages, send, chat } = await connect({ token: service.apiKey });
  const sent = [
    '{',
    '{}',
    { type: 'chat', application_id: application.id },
    { type: 'chat', application_id: 'x', body: {} },
  ];
  for (const [index, message] of sent.entries()) {
    send(message);
    await expect.poll(() => messages.length, { timeout: 30_000 }).toBe(index + 1);
  }
  chat({ id: 'q' });
  await expect.poll(() => messages.length, { timeout: 30_000 }).toBe(sent.length + 1);
  send({ type: 'ping' });
  await expect.poll(() => messages.at(-1)?.type, { timeout: 30_000 }).toBe('pong');
  expect(messages.map(({ type, id, data }) => [type, id, data?.code])).toEqual([
    ['error', undefined, 'invalid_request'],
    ['error', undefined, 'invalid_request'],
    ['error', undefined, 'invalid_request'],
    ['error', undefined, 'invalid_request'],
    ['error', 'q', 'auth_error'],
    ['pong', undefined, undefined],
  ]);
});

it('a key that is revoked is of no use from the next message on', async () => {
  const workspace = await createWorkspace();
  const { messages, chat, until } = await connect({ token: workspace.apiKey });
  await changeKey(workspace.keyId, { scopes: ['sandbox'] });
  chat();
  await until('error');
  expect(messages).toMatchObject([{ type: 'error', data: { code: 'forbidden' } }]);
});

it('keeps a session, and ends the provider’s work when the connection is dropped', async () => {
  // A separate key: on a fast machine the chats before have used up the burst of the other one.
  const { apiKey } = await createWorkspace();
  const own = await applicationOn({ ...service, apiKey }, provider.baseUrl);
  const inSession = { application_id: own.id, session_id: 'socket' };
  provider.plays(says('first'));
  const { chat, until } = await connect({ token: apiKey });
  chat(inSession);
  await until('done');
  provider.plays(hangs('Hel'));
  const second = await connect({ token: apiKey });
  second.chat(inSession);
  await second.until('message');
  const [request] = provider.requests;
  expect(request!.body.messages.map(({ content }) => content)).toContain('first');
  second.socket.terminate();
  await request!.aborted;
});

it('a client that does not read makes its answer wait, with what memory a few messages take, and ends it by leaving', async () => {
  const content = 'x'.repeat(16 * 1024);
  const total = 6_000;
  let written = 0;
  provider.plays(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (; written < total && !response.destroyed; written++)
      if (!response.write(`data: ${JSON.stringify(upstreamChunk({ content }))}\n\n`))
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
    response.end();
  });
  const { socket, chat } = await connect({ token: service.apiKey });
  socket.pause();
  chat();
  let last = 0;
  const standsStill = () => {
    const isSame = written > 0 && written === last;
    last = written;
    return isSame;
  };
  await expect.poll(standsStill, { timeout: 60_000, interval: 1_000 }).toBe(true);
  // Of some hundred megabytes, what the buffers of a few connections hold.
  expect(written).toBeLessThan(total / 3);
  socket.terminate();
  await provider.requests[0]!.aborted;
});

it('a chat counts its call and its tokens for the workspace, its key and the application', async () => {
  const { apiKey, keyId } = await createWorkspace();
  const own = await applicationOn({ ...service, apiKey }, provider.baseUrl);
  provider.plays(says('Hello'));
  const { send, until } = await connect({ token: apiKey });
  send({ type: 'chat', application_id: own.id, body: { messages: [{ role: 'user', content: 'Hello' }] } });
  await until('done');
  for (const [by, group] of [
    ['key', keyId],
    ['application', own.id],
  ])
    await expect
      .poll(async () => (await call(service, 'GET', `/api/v1/usage?group_by=${by}`, { key: apiKey })).json, {
        timeout: 10_000,
      })
      .toMatchObject({
        data: {
          total: { calls: 1, tokens_in: USAGE.prompt_tokens, tokens_out: USAGE.completion_tokens },
          groups: expect.arrayContaining([expect.objectContaining({ group, tokens_out: USAGE.completion_tokens })]),
        },
      });
});
