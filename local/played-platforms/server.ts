import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChannelType } from '../../functions/channels/domain/channel.ts';
import { teamsPublishedKeys } from './webhooks.ts';

/** A reply that was delivered to a played platform. */
export interface DeliveredReply {
  readonly type: ChannelType;
  readonly conversation: string;
  readonly text: string;
  /** The platform's key of a repetition; null if it has none. */
  readonly key: string | null;
  readonly headers: IncomingMessage['headers'];
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Epoch time. */
  readonly atMs: number;
}

/** A platform's reaction to a reply. */
export type Behaviour =
  | 'ok'
  | 'hang'
  | 'reset'
  /** Refuses with the status 200, as some platforms do. */
  | 'not ok'
  | { readonly status: number; readonly retryAfter?: number; readonly body?: object; readonly location?: string };

export interface PlatformServer {
  readonly baseUrl: string;
  /** Replies that were answered as delivered. */
  readonly delivered: DeliveredReply[];
  /** All replies that arrived, with any answer. */
  readonly attempts: DeliveredReply[];
  /** Paths and bodies of calls that show a sender that they are being answered. */
  readonly signs: { readonly path: string; readonly body: Readonly<Record<string, unknown>> }[];
  /** Reactions to the next replies; the last one holds for all that remain. */
  plays(...behaviours: readonly Behaviour[]): void;
  stop(): Promise<void>;
}

/** An image of one pixel, which stands for every file. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The APIs of all platforms on one loopback address. They share no path. @param onReply called with each delivered reply. */
export async function startPlatformServer(
  onReply: (reply: DeliveredReply) => void = () => undefined,
): Promise<PlatformServer> {
  let queue: Behaviour[] = ['ok'];
  const delivered: DeliveredReply[] = [];
  const attempts: DeliveredReply[] = [];
  const signs: PlatformServer['signs'] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    if (isSign(request, text)) {
      signs.push({ path: request.url ?? '', body: JSON.parse(text) });
      return send(response, 200, { ok: true });
    }
    const reply = replyOf(request, text);
    if (reply === null) return answerOther(request, response);
    const behaviour = (queue.length > 1 ? queue.shift() : queue[0]) ?? 'ok';
    attempts.push(reply);
    if (behaviour === 'hang') return;
    if (behaviour === 'reset') return void request.socket.destroy();
    if (behaviour === 'not ok') return send(response, 200, { ok: false, error: 'internal_error' });
    if (behaviour === 'ok') {
      delivered.push(reply);
      onReply(reply);
      return send(response, 200, ACCEPTED[reply.type]);
    }
    const { status, retryAfter, body = { ok: false, error: 'played' }, location } = behaviour;
    send(response, status, body, {
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...(location !== undefined && { location }),
    });
  }

  async function answerOther(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '' } = request;
    if (url.endsWith('/openidconfiguration')) return send(response, 200, { jwks_uri: `${baseUrl}/keys` });
    if (url === '/keys') return send(response, 200, await teamsPublishedKeys());
    if (url.endsWith('/oauth2/v2.0/token')) return send(response, 200, { access_token: 'issued', expires_in: 3600 });
    if (url.includes('/getFile')) return send(response, 200, { ok: true, result: { file_path: 'photos/1.png' } });
    if (url === '/media-1') return send(response, 200, { url: `${baseUrl}/files/1.png`, mime_type: 'image/png' });
    if (/\/files?\/|\/content$/.test(url))
      return void response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL);
    // What Slack shows in the place of a file to whom may not read it.
    if (url === '/sign-in') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in');
    send(response, 404, {});
  }

  return {
    baseUrl,
    delivered,
    attempts,
    signs,
    plays(...behaviours) {
      signs.length = 0;
      delivered.length = 0;
      attempts.length = 0;
      queue = [...behaviours];
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Each platform's response to an accepted message. */
const ACCEPTED: Readonly<Record<ChannelType, object>> = {
  slack: { ok: true, ts: '1503435956.000247' },
  discord: { id: '1' },
  telegram: { ok: true, result: { message_id: 2 } },
  line: { sentMessages: [{ id: '461230966842064897' }] },
  teams: { id: '1' },
  whatsapp: { messaging_product: 'whatsapp', messages: [{ id: 'wamid.1' }] },
  custom: {},
};

/** Whether a request shows that an answer is being made. */
function isSign({ url = '' }: IncomingMessage, text: string): boolean {
  if (/\/(?:sendChatAction|chat\/loading\/start|assistant\.threads\.setStatus)$/.test(url)) return true;
  const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  return body.type === 'typing' || 'typing_indicator' in body;
}

/** The reply that a request delivers; null for other requests. */
function replyOf({ method = '', url: path = '', headers }: IncomingMessage, text: string): DeliveredReply | null {
  if (method === 'GET' || path.includes('/oauth2/')) return null;
  const body = JSON.parse(text) as Record<string, unknown>;
  const member = (name: string) => String(body[name] ?? '');
  const reply = (type: ChannelType, conversation: string, content: unknown, key: string | null): DeliveredReply => {
    return { type, conversation, text: String(content ?? ''), key, headers, path, body, atMs: Date.now() };
  };
  // A response_url of Slack.
  if (/^\/(?:commands|actions)\//.test(path)) return reply('slack', path, body.text, null);
  if (path === '/chat.postMessage') return reply('slack', member('channel'), body.text, null);
  if (path.endsWith('/sendMessage')) return reply('telegram', member('chat_id'), body.text, null);
  if (path.startsWith('/v2/bot/message/')) {
    const texts = ((body.messages ?? []) as { text: string }[]).map(({ text }) => text);
    const key = path.endsWith('/push') ? String(headers['x-line-retry-key'] ?? '') : member('replyToken');
    return reply('line', member('to'), texts.join('\n'), key);
  }
  if (path.startsWith('/v3/conversations/'))
    return reply('teams', decodeURIComponent(path.split('/')[3] ?? ''), body.text, null);
  const [, discordChannel] = /^\/channels\/(\w+)\/messages$/.exec(path) ?? [];
  if (discordChannel !== undefined) return reply('discord', discordChannel, body.content, member('nonce'));
  if (path.startsWith('/webhooks/')) return reply('discord', path.split('/')[3] ?? '', body.content, path);
  if (path.endsWith('/messages'))
    return reply('whatsapp', member('to') || member('recipient'), (body.text as { body?: string })?.body, null);
  if (path.startsWith('/hook')) {
    const data = (body.data ?? {}) as { conversation_id?: string; text?: string };
    return reply('custom', data.conversation_id ?? '', data.text, String(headers['webhook-id'] ?? ''));
  }
  return null;
}

function send(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
