import { createHash } from 'node:crypto';
import { hmacSha256, isSignedByOneOf } from '../../../shared/webhooks/signatures.ts';
import { MONTHLY_LIMIT } from '../channel.ts';
import { type Attachment, inboundMessage, type ReadMessage } from '../inbound-message.ts';
import { described, withoutStretches } from '../text/inbound.ts';
import {
  answerJson,
  apiBase,
  bearer,
  contentOf,
  type Json,
  jsonObject,
  jsonPost,
  type Platform,
  type ReplyPart,
} from './platform.ts';
import { channelBroken, DELIVERED, statusOutcome, tryAgain } from './send-outcome.ts';

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
  signature: { header: ['x-line-signature'], secret: 'secrets.channel_secret' },
  settings: { required: [], optional: ['api_base_url'] },
  secretProblem: (name, value) => {
    if (name === 'channel_access_token' && /^[0-9a-f]{32}$/.test(value))
      return 'is a channel secret: issue a long-lived channel access token';
    return name === 'channel_secret' && value.length > 100 ? 'is an access token: take the Channel secret' : null;
  },
  maxReplyLength: 5_000,
  maxTextsPerCall: 5,
  recordsAttempts: true,
  dialect: 'plain',
  dropsRepeats: true,

  verify: ({ headers, body }, access) =>
    isSignedByOneOf(access.validSecrets('channel_secret'), headers['x-line-signature'] ?? '', (secret) =>
      hmacSha256(secret, body).toString('base64'),
    ),

  read(request) {
    return contentOf(
      jsonObject(request)
        .list('events')
        .map((event) => messageOf(event, request.nowMs)),
    );
  },

  send(part, access, nowMs) {
    const { to = '', reply_token: replyToken = '' } = part.target;
    const base = `${apiBase(access, API)}/v2/bot/message`;
    const authorization = bearer(access.secret('channel_access_token'));
    const messages = part.texts.map((text) => ({ type: 'text', text }));
    if (isByReplyToken(part, nowMs)) return jsonPost(`${base}/reply`, authorization, { replyToken, messages });
    return jsonPost(`${base}/push`, { ...authorization, 'x-line-retry-key': uuidOf(part.id) }, { to, messages });
  },

  // Shown in chats with one person only, until the answer comes.
  signOfLife: ({ place, replyTo: { to = '' } }, access) =>
    place === 'direct'
      ? {
          call: jsonPost(
            `${apiBase(access, API)}/v2/bot/chat/loading/start`,
            bearer(access.secret('channel_access_token')),
            {
              chatId: to,
              loadingSeconds: 60,
            },
          ),
          lastsMs: 60_000,
        }
      : null,

  placeOf: (to) => ({ to }),

  outcomeOf(answer, { previous }) {
    // A request with this retry key was accepted before.
    if (answer.status === 409 && answer.headers['x-line-accepted-request-id'] !== undefined) return DELIVERED;
    const detail = answerJson(answer).text('message') || null;
    if (answer.status === 400 && detail?.includes('Invalid reply token')) {
      // An earlier attempt with an unknown outcome has used the token: the reply arrived.
      return previous?.isUnknown ? DELIVERED : tryAgain('invalid_reply_token', detail);
    }
    // Pushes end for the month; replies by a token cost nothing, and continue.
    if (answer.status === 429 && detail?.includes('monthly limit')) return channelBroken(MONTHLY_LIMIT, detail);
    return statusOutcome(answer, detail);
  },

  attachment({ source }, access) {
    // Stored by the sender, not by LINE.
    if (source.kind !== 'id') return { method: 'GET', url: source.url, headers: {} };
    const url = `${apiBase(access, DATA_API)}/v2/bot/message/${encodeURIComponent(source.id)}/content`;
    return { method: 'GET', url, headers: bearer(access.secret('channel_access_token')) };
  },
};

/**
 * A reply token costs nothing and works once. What LINE has refused, or has failed at, goes as a push, which it knows by its
 * key. An attempt whose outcome is not known is repeated with the token while that is valid: LINE takes it once.
 */
function isByReplyToken({ target, previous, index }: ReplyPart, nowMs: number): boolean {
  const { reply_token = '', until = '0' } = target;
  return reply_token !== '' && index === 1 && nowMs < Number(until) && (previous === null || previous.isUnknown);
}

/** LINE wants a UUID, the same one at every attempt. */
function uuidOf(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

function messageOf(event: Json, nowMs: number): ReadMessage {
  const type = event.text('type');
  if (type !== 'message' && type !== 'postback') return null;
  // Another server of the account answers while it is on standby.
  if (event.text('mode') === 'standby') return null;
  const isPostback = type === 'postback';
  const message = event.in('message');
  const source = event.in('source');
  const to = source.text('groupId') || source.text('roomId') || source.text('userId');
  const mentionees = message.in('mention').list('mentionees');
  const isMentioned = mentionees.some((each) => each.isTrue('isSelf'));
  const album = message.in('imageSet');
  return inboundMessage({
    eventId: isPostback ? event.text('webhookEventId') : message.text('id'),
    conversationId: to,
    sender: { id: source.text('userId') || to, name: null },
    text: isPostback ? postbackText(event.in('postback')) : textOf(message, mentionees),
    attachments: isPostback ? [] : attachmentsOf(message),
    replyTo: { to, reply_token: event.text('replyToken'), until: String(nowMs + REPLY_TOKEN_VALID_MS) },
    // Buttons are the bot's own.
    place: source.text('type') === 'user' ? 'direct' : isMentioned || isPostback ? 'addressed' : 'overheard',
    ...(album.text('id') !== '' && { album: { id: album.text('id'), total: album.number('total') } }),
  });
}

/** The data of a button, with the day or the time that was chosen. */
function postbackText(postback: Json): string {
  const params = postback.in('params');
  const chosen = ['date', 'time', 'datetime'].map((name) => params.text(name)).find((text) => text !== '') ?? '';
  return [postback.text('data'), chosen].filter((text) => text !== '').join(' ');
}

function textOf(message: Json, mentionees: readonly Json[]): string {
  switch (message.text('type')) {
    case 'text': {
      const own = mentionees
        .filter((each) => each.isTrue('isSelf'))
        .map((each) => ({ offset: each.number('index') ?? 0, length: each.number('length') ?? 0 }));
      return own.length === 0 ? message.text('text') : withoutStretches(message.text('text'), own);
    }
    case 'sticker':
      return described('sticker', message.text('text') || message.texts('keywords').slice(0, 3).join(' '));
    case 'location':
      return described('location', ...['title', 'address', 'latitude', 'longitude'].map((name) => message.text(name)));
    case 'video':
      return described('video');
    case 'image':
    case 'audio':
    case 'file':
      return '';
    default:
      return described('unsupported message', message.text('type'));
  }
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
