import { isSignedByOneOf } from '../../../shared/webhooks/signatures.ts';
import { type Attachment, type InboundMessage, inboundMessage } from '../inbound-message.ts';
import { toPlainText } from '../text/format.ts';
import {
  ACKNOWLEDGED,
  answerJson,
  apiBase,
  DELIVERED,
  type Json,
  jsonObject,
  jsonPost,
  type Platform,
  platformFault,
  rateLimited,
  retryAfterMs,
  statusOutcome,
  Undeliverable,
} from './platform.ts';

const API = 'https://api.telegram.org';

export const telegram: Platform = {
  type: 'telegram',
  secrets: { required: ['bot_token', 'secret_token'], optional: [], verifying: ['secret_token'] },
  settings: { required: [], optional: ['api_base_url'] },
  secretProblem: (name, value) => {
    if (name === 'bot_token' && !/^\d{1,20}:[\w-]{1,100}$/.test(value))
      return 'must be a token of BotFather, such as 123456:ABC-DEF';
    if (name === 'secret_token' && !/^[\w-]{1,256}$/.test(value)) return 'must be 1 to 256 letters, digits, _ and -';
    return null;
  },
  maxReplyLength: 4_096,
  format: toPlainText,

  verify: ({ headers }, access) =>
    isSignedByOneOf(
      access.validSecrets('secret_token'),
      headers['x-telegram-bot-api-secret-token'] ?? '',
      (secret) => secret,
    ),

  read(request) {
    const update = jsonObject(request);
    const message = messageOf(update);
    return { messages: message === null ? [] : [message], reply: ACKNOWLEDGED };
  },

  send({ text, target }, access) {
    const { chat = '', thread } = target;
    return jsonPost(
      `${botBase(access)}/sendMessage`,
      {},
      {
        chat_id: chat,
        text,
        ...(thread && { message_thread_id: Number(thread) }),
        link_preview_options: { is_disabled: true },
      },
    );
  },

  outcomeOf(answer) {
    const body = answerJson(answer);
    if (answer.status === 200) return body.isTrue('ok') ? DELIVERED : platformFault('not_ok');
    const after = body.in('parameters').number('retry_after');
    if (answer.status === 429) return rateLimited(retryAfterMs(after ?? String(answer.headers['retry-after'] ?? '')));
    return statusOutcome(answer);
  },

  attachment({ source }, access) {
    if (source.kind !== 'id') throw new Undeliverable('attachment_without_id');
    return { method: 'GET', url: `${botBase(access)}/getFile?file_id=${encodeURIComponent(source.id)}`, headers: {} };
  },

  attachmentContents(answer, access) {
    const path = answerJson(answer).in('result').text('file_path');
    if (path === '' || path.includes('..')) throw new Undeliverable('attachment_without_path');
    const url = `${apiBase(access, API)}/file/bot${access.secret('bot_token')}/${path}`;
    return { method: 'GET', url, headers: {} };
  },
};

const botBase = (access: Parameters<Platform['send']>[1]) => `${apiBase(access, API)}/bot${access.secret('bot_token')}`;

function messageOf(update: Json): InboundMessage | null {
  const eventId = update.text('update_id');
  if (update.has('callback_query')) {
    const query = update.in('callback_query');
    return fromChat(eventId, query.in('message'), query.in('from'), query.text('data'), []);
  }
  const message = update.has('message') ? update.in('message') : update.in('channel_post');
  const from = message.has('from') ? message.in('from') : message.in('sender_chat');
  if (from.isTrue('is_bot')) return null;
  return fromChat(eventId, message, from, message.text('text') || message.text('caption'), attachmentsOf(message));
}

function fromChat(
  eventId: string,
  message: Json,
  from: Json,
  text: string,
  attachments: readonly Attachment[],
): InboundMessage | null {
  const chat = message.in('chat').text('id');
  const thread = message.isTrue('is_topic_message') ? message.text('message_thread_id') : '';
  const name = [from.text('first_name'), from.text('last_name')].filter((part) => part !== '').join(' ');
  return inboundMessage({
    eventId,
    conversationId: chat === '' || thread === '' ? chat : `${chat}:${thread}`,
    sender: { id: from.text('id'), name: name || from.text('username') || null },
    text,
    attachments,
    replyTo: { chat, ...(thread !== '' && { thread }) },
  });
}

function attachmentsOf(message: Json): Attachment[] {
  const found: Attachment[] = [];
  const add = (kind: Attachment['kind'], file: Json, mimeType: string) => {
    const id = file.text('file_id');
    if (id !== '') found.push({ kind, name: file.text('file_name') || null, mimeType, source: { kind: 'id', id } });
  };
  // Sizes of one photo, the largest last.
  const photo = message.list('photo').at(-1);
  if (photo !== undefined) add('image', photo, 'image/jpeg');
  const document = message.in('document');
  const type = document.text('mime_type') || 'application/octet-stream';
  add(type.startsWith('image/') ? 'image' : 'file', document, type);
  add('audio', message.in('voice'), message.in('voice').text('mime_type') || 'audio/ogg');
  add('audio', message.in('audio'), message.in('audio').text('mime_type') || 'audio/mpeg');
  return found;
}
