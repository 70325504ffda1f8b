import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { messagingApi } from '@line/bot-sdk';
import { Activity, activityZodSchema } from '@microsoft/agents-activity';
import { HTTPModuleFunctions, webApi } from '@slack/bolt';
import { InteractionResponseFlags, InteractionResponseType } from 'discord-interactions';
import { Api, Bot, webhookCallback } from 'grammy';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { ChannelType } from '../../../functions/channels/domain/channel.ts';
import type { ChannelAccess, HttpCall, ReplyPart } from '../../../functions/channels/domain/platforms/platform.ts';
import { platforms } from '../../../functions/channels/domain/platforms/platforms.ts';

/** Our calls to the platforms compared with those of the vendors' own clients, for the same reply. */

const NOW_MS = Date.UTC(2026, 10, 27, 9);
const TOKENS = { teams: async () => 'issued', forget: () => undefined };
const TEXT = '안녕하세요 <b> & *x* 👋';

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

/** Takes every call, and keeps it. */
let server: Server;
let baseUrl: string;
let seen: Seen[] = [];
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = request;
    const text = Buffer.concat(chunks).toString();
    const isForm = headers['content-type']?.includes('x-www-form-urlencoded');
    const body = (isForm ? formBody(text) : JSON.parse(text)) as Seen['body'];
    seen.push({ method, path, headers, body });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ok: true, sentMessages: [], result: { message_id: 1 } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
afterEach(() => {
  seen = [];
});

/** Slack's client writes objects and flags as JSON within a form. */
function formBody(text: string): Record<string, unknown> {
  return Object.fromEntries(
    [...new URLSearchParams(text)].map(([name, value]) => [
      name,
      /^(?:\{.*\}|true|false)$/s.test(value) ? JSON.parse(value) : value,
    ]),
  );
}

const access = (
  secrets: Readonly<Record<string, string>>,
  settings: ChannelAccess['settings'] = {},
): ChannelAccess => ({
  settings: { api_base_url: baseUrl, ...settings },
  secret: (name) => secrets[name] ?? '',
  validSecrets: (name) => (secrets[name] === undefined ? [] : [secrets[name]]),
});

/** Our call for a reply. */
async function ours(type: ChannelType, part: Partial<ReplyPart>, of: ChannelAccess) {
  const reply: ReplyPart = {
    ...{ id: 'msg_01M8EDQJCB8GN7FEZ8GC7AG9CP-001', texts: [TEXT], target: {}, channelId: 'chn_1' },
    ...{ conversationId: 'c', index: 1, previous: null, ...part },
  };
  const call: HttpCall = await platforms[type].send(reply, of, NOW_MS, TOKENS);
  return { ...call, path: call.url.replace(baseUrl, ''), body: JSON.parse(call.body!) as Record<string, unknown> };
}

it('Slack: chat.postMessage as @slack/web-api sends it', async () => {
  const target = { channel: 'C1', thread_ts: '1503435956.000247' };
  const call = await ours('slack', { target }, access({ bot_token: 'xoxb-1' }));
  const client = new webApi.WebClient('xoxb-1', { slackApiUrl: `${baseUrl}/` });
  await client.chat.postMessage(call.body as unknown as webApi.ChatPostMessageArguments);
  const [theirs] = seen;
  expect([call.method, call.path, call.body]).toEqual([theirs!.method, theirs!.path, theirs!.body]);
  expect(call.headers.authorization).toBe(theirs!.headers.authorization);
});

it('Slack: the check of a certificate needs no signature, as @slack/bolt has it, and everything else does', async () => {
  const isTaken = async (fields: Readonly<Record<string, string>>) => {
    const body = Buffer.from(new URLSearchParams(fields).toString());
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const request = Object.assign(Readable.from([body]), { method: 'POST', url: '/', headers });
    const theirs = await HTTPModuleFunctions.parseAndVerifyHTTPRequest(
      { signingSecret: 'secret', enabled: true },
      request as never,
    ).then(
      () => true,
      () => false,
    );
    const noTokens = { isValid: async () => false };
    const taken = platforms.slack.verify({ headers, query: {}, body, nowMs: NOW_MS }, access({}), noTokens);
    return [taken, theirs];
  };
  expect(await isTaken({ ssl_check: '1', token: 'x' })).toEqual([true, true]);
  expect(await isTaken({ command: '/ask', text: 'x' })).toEqual([false, false]);
});

it('LINE: replies and pushes as @line/bot-sdk sends them', async () => {
  const client = new messagingApi.MessagingApiClient({ channelAccessToken: 'line-1', baseURL: baseUrl });
  const of = access({ channel_access_token: 'line-1' });
  const texts = [TEXT, 'two'];
  const messages = texts.map((text) => ({ type: 'text' as const, text }));
  const target = { to: 'U1', reply_token: 'token', until: String(NOW_MS + 1_000) };
  const reply = await ours('line', { texts, target }, of);
  await client.replyMessage({ replyToken: 'token', messages });
  const push = await ours('line', { texts, target, index: 2 }, of);
  await client.pushMessage({ to: 'U1', messages }, push.headers['x-line-retry-key']);
  expect(seen).toHaveLength(2);
  for (const [index, call] of [reply, push].entries()) {
    const theirs = seen[index]!;
    expect([call.method, call.path]).toEqual([theirs.method, theirs.path]);
    expect(theirs.body).toMatchObject(call.body);
    for (const name of ['authorization', 'x-line-retry-key'])
      expect(call.headers[name], name).toBe(theirs.headers[name]);
  }
});

it('Telegram: sendMessage as grammy sends it, in a topic and for a business account', async () => {
  const token = '123456:ABC-DEF';
  const api = new Api(token, { apiRoot: baseUrl });
  const target = { chat: '-1001', thread: '7', business: 'b1' };
  const call = await ours('telegram', { target }, access({ bot_token: token }));
  await api.sendMessage('-1001', TEXT, {
    message_thread_id: 7,
    business_connection_id: 'b1',
    link_preview_options: { is_disabled: true },
  });
  const [theirs] = seen;
  expect([call.method, call.path, call.body]).toEqual([theirs!.method, theirs!.path, theirs!.body]);
});

it('Telegram: the secret of a webhook as grammy checks it', async () => {
  const bot = new Bot('123456:ABC-DEF', {
    botInfo: { id: 123456, is_bot: true, first_name: 'b', username: 'b' } as never,
  });
  const handle = webhookCallback(bot, 'std/http', { secretToken: 'right-1' });
  const of = access({ secret_token: 'right-1' });
  for (const sent of ['right-1', 'right-2', 'right-', 'Right-1', '', undefined]) {
    const headers = { ...(sent !== undefined && { 'x-telegram-bot-api-secret-token': sent }) };
    const body = JSON.stringify({ update_id: 1 });
    const request = new Request('http://localhost/', { method: 'POST', headers, body });
    const { status } = (await handle(request)) as Response;
    const webhook = { headers, query: {}, body: Buffer.from(body), nowMs: NOW_MS };
    const isValid = platforms.telegram.verify(webhook, of, { isValid: async () => false });
    expect([sent, isValid]).toEqual([sent, status === 200]);
  }
});

it('Discord: interactions are answered with the types of discord-interactions', () => {
  const read = (body: object) =>
    platforms.discord.read(
      { headers: {}, query: {}, body: Buffer.from(JSON.stringify(body)), nowMs: NOW_MS },
      access({}),
    );
  const of = {
    id: '1',
    token: 't',
    application_id: '2',
    channel_id: '3',
    member: { user: { id: '4', username: 'm' } },
  };
  const question = { name: 'ask', options: [{ name: 'q', type: 3, value: 'x' }] };
  expect(read({ type: 1, id: '1' }).reply.body).toEqual({ type: InteractionResponseType.PONG });
  expect(read({ ...of, type: 2, data: question }).reply.body).toEqual({
    type: InteractionResponseType.DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE,
  });
  expect(read({ ...of, type: 4, data: question }).reply.body).toMatchObject({
    type: InteractionResponseType.APPLICATION_COMMAND_AUTOCOMPLETE_RESULT,
  });
  expect(read({ ...of, type: 5, data: { components: [] } }).reply.body).toMatchObject({
    type: InteractionResponseType.CHANNEL_MESSAGE_WITH_SOURCE,
    data: { flags: InteractionResponseFlags.EPHEMERAL },
  });
});

it('Teams: a reply is an activity as @microsoft/agents-activity has it, in answer to the one that asked', async () => {
  const asked = Activity.fromObject({
    ...{ type: 'message', id: '1485983408511', channelId: 'msteams', serviceUrl: baseUrl, text: 'x' },
    ...{ from: { id: '29:1', name: 'Larry' }, recipient: { id: '28:2', name: 'Bot' }, conversation: { id: 'a:1' } },
  });
  const target = { service_url: baseUrl, conversation: 'a:1', activity: '1485983408511', bot: '28:2' };
  const call = await ours('teams', { target }, access({}));
  expect(activityZodSchema.parse(call.body)).toMatchObject(call.body);
  const reference = asked.getConversationReference();
  const theirs = Activity.fromObject({ type: 'message', text: TEXT }).applyConversationReference(reference);
  const { from, conversation, replyToId, type, text } = theirs;
  expect(call.body).toMatchObject({
    from: { id: from?.id },
    conversation: { id: conversation?.id },
    replyToId,
    type,
    text,
  });
  expect(call.path).toBe('/v3/conversations/a%3A1/activities/1485983408511');
});

it('custom: a reply is taken by standardwebhooks', async () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const part = { target: { conversation_id: 'c', in_reply_to: 'e1' } };
  const call = await platforms.custom.send(
    {
      ...{ id: 'msg_1', texts: [TEXT], channelId: 'chn_1', conversationId: 'c', index: 2, parts: 3, previous: null },
      ...part,
    },
    access({ signing_secret: secret }, { url: `${baseUrl}/hook` }),
    Date.now(),
    TOKENS,
  );
  expect(new Webhook(secret).verify(call.body!, { ...call.headers })).toMatchObject({
    data: { text: TEXT, in_reply_to: 'e1', part: 2, parts: 3 },
  });
});
