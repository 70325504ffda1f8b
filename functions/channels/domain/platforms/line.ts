import { createHash } from 'node:crypto';
import { hmacSha256, isSignedByOneOf } from '../../../shared/webhooks/signatures.ts';
import { type Attachment, type InboundMessage, inboundMessage } from '../inbound-message.ts';
import { toPlainText } from '../text/format.ts';
import {
  ACKNOWLEDGED,
  apiBase,
  bearer,
  DELIVERED,
  type Json,
  jsonObject,
  jsonPost,
  type Platform,
  statusOutcome,
  Undeliverable,
} from './platform.ts';

const API = 'https://api.line.me';
const DATA_API = 'https://api-data.line.me';
/** A reply token is valid for about a minute. */
const REPLY_TOKEN_VALID_MS = 50_000;

export const line: Platform = {
  type: 'line',
  secrets: {
    required: ['channel_secret', 'channel_access_token'],
    optional: [],
    verifying: ['channel_secret'],
  },
  settings: { required: [], optional: ['api_base_url'] },
  maxReplyLength: 5_000,
  format: toPlainText,

  verify: ({ headers, body }, access) =>
    isSignedByOneOf(access.validSecrets('channel_secret'), headers['x-line-signature'] ?? '', (secret) =>
      hmacSha256(secret, body).toString('base64'),
    ),

  read(request) {
    const messages = jsonObject(request)
      .list('events')
      .flatMap((event) => messageOf(event, request.nowMs) ?? []);
    return { messages, reply: ACKNOWLEDGED };
  },

  send({ id, text, target, attempt, isFirst }, access, nowMs) {
    const { to = '', reply_token: token = '', until = '0' } = target;
    const base = `${apiBase(access, API)}/v2/bot/message`;
    const authorization = bearer(access.secret('channel_access_token'));
    const messages = [{ type: 'text', text }];
    // Once: whether a reply that failed has used the token up is not known, and a push can be repeated safely.
    if (isFirst && attempt === 1 && token !== '' && nowMs < Number(until))
      return jsonPost(`${base}/reply`, authorization, { replyToken: token, messages });
    return jsonPost(`${base}/push`, { ...authorization, 'x-line-retry-key': uuidOf(id) }, { to, messages });
  },

  outcomeOf(answer) {
    // A request with this retry key was accepted before.
    if (answer.status === 409 && answer.headers['x-line-accepted-request-id'] !== undefined) return DELIVERED;
    const outcome = statusOutcome(answer);
    // A reply token that has expired: the next attempt is a push.
    const isReplyToken = answer.status === 400 && answer.text.includes('Invalid reply token');
    if (isReplyToken && outcome.kind === 'failed') return { ...outcome, code: 'invalid_reply_token', isPassing: true };
    return outcome;
  },

  attachment({ source }, access) {
    if (source.kind !== 'id') throw new Undeliverable('attachment_without_id');
    const url = `${apiBase(access, DATA_API)}/v2/bot/message/${encodeURIComponent(source.id)}/content`;
    return { method: 'GET', url, headers: bearer(access.secret('channel_access_token')) };
  },
};

/** LINE wants a UUID, the same one at every attempt. */
function uuidOf(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

function messageOf(event: Json, nowMs: number): InboundMessage | null {
  const message = event.in('message');
  const source = event.in('source');
  const to = source.text('groupId') || source.text('roomId') || source.text('userId');
  const text = event.text('type') === 'postback' ? event.in('postback').text('data') : message.text('text');
  if (event.text('type') !== 'message' && event.text('type') !== 'postback') return null;
  // Another server of the account answers while it is on standby.
  if (event.text('mode') === 'standby') return null;
  return inboundMessage({
    eventId: event.text('webhookEventId'),
    conversationId: to,
    sender: { id: source.text('userId') || to, name: null },
    text: message.text('type') === 'text' || event.text('type') === 'postback' ? text : '',
    attachments: attachmentsOf(message),
    replyTo: { to, reply_token: event.text('replyToken'), until: String(nowMs + REPLY_TOKEN_VALID_MS) },
  });
}

const TYPES: Readonly<Record<string, Pick<Attachment, 'kind' | 'mimeType'>>> = {
  image: { kind: 'image', mimeType: 'image/jpeg' },
  audio: { kind: 'audio', mimeType: 'audio/m4a' },
  file: { kind: 'file', mimeType: null },
};

function attachmentsOf(message: Json): Attachment[] {
  const type = message.text('type');
  const known = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (known === undefined) return [];
  const provider = message.in('contentProvider');
  const source =
    provider.text('type') === 'external'
      ? ({ kind: 'public', url: provider.text('originalContentUrl') } as const)
      : ({ kind: 'id', id: message.text('id') } as const);
  return [{ ...known, name: message.text('fileName') || null, source }];
}
