import { hmacSha256, isSignedByOneOf } from '../../../shared/webhooks/signatures.ts';
import { type Attachment, type InboundMessage, inboundMessage } from '../inbound-message.ts';
import { toWhatsAppText } from '../text/format.ts';
import {
  ACKNOWLEDGED,
  answerJson,
  apiBase,
  bearer,
  type Json,
  jsonObject,
  jsonPost,
  type Platform,
  platformFault,
  rateLimited,
  refusedForGood,
  retryAfterMs,
  statusOutcome,
  Undeliverable,
} from './platform.ts';

const API = 'https://graph.facebook.com/v23.0';
/** Codes of Meta for too many messages, of the app, of the number, and to one recipient. */
const RATE_LIMITS = [4, 80_007, 130_429, 131_048, 131_056];
/** Of a service that is down or overloaded. */
const FAULTS = [1, 2, 131_000, 131_016, 133_004, 133_005];

export const whatsapp: Platform = {
  type: 'whatsapp',
  secrets: {
    required: ['app_secret', 'verify_token', 'access_token'],
    optional: [],
    verifying: ['app_secret', 'verify_token'],
  },
  settings: { required: ['phone_number_id'], optional: ['api_base_url'] },
  maxReplyLength: 4_096,
  format: toWhatsAppText,

  verify: ({ headers, body }, access) =>
    isSignedByOneOf(
      access.validSecrets('app_secret'),
      headers['x-hub-signature-256'] ?? '',
      (secret) => `sha256=${hmacSha256(secret, body).toString('hex')}`,
    ),

  challenge({ query }, access) {
    const { 'hub.mode': mode, 'hub.verify_token': token = '', 'hub.challenge': challenge } = query;
    if (mode !== 'subscribe' || challenge === undefined || !/^[\w-]{1,200}$/.test(challenge)) return null;
    return isSignedByOneOf(access.validSecrets('verify_token'), token, (secret) => secret) ? challenge : null;
  },

  read(request, { settings }) {
    const changes = jsonObject(request)
      .list('entry')
      .flatMap((entry) => entry.list('changes'));
    const messages = changes.flatMap((change) => messagesOf(change.in('value'), settings.phone_number_id ?? ''));
    return { messages, reply: ACKNOWLEDGED };
  },

  send({ text, target }, access) {
    const number = encodeURIComponent(access.settings.phone_number_id ?? '');
    return jsonPost(`${apiBase(access, API)}/${number}/messages`, bearer(access.secret('access_token')), {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: target.to ?? '',
      type: 'text',
      text: { body: text, preview_url: false },
    });
  },

  outcomeOf(answer) {
    const outcome = statusOutcome(answer);
    if (outcome.kind !== 'failed') return outcome;
    const error = answerJson(answer).in('error');
    const code = error.number('code');
    if (code === null) return outcome;
    if (RATE_LIMITS.includes(code)) return rateLimited(retryAfterMs(String(answer.headers['retry-after'] ?? '')));
    if (FAULTS.includes(code) || error.isTrue('is_transient')) return platformFault(`meta_${code}`);
    return outcome.isPassing ? outcome : refusedForGood(`meta_${code}`);
  },

  attachment({ source }, access) {
    if (source.kind !== 'id') throw new Undeliverable('attachment_without_id');
    const url = `${apiBase(access, API)}/${encodeURIComponent(source.id)}`;
    return { method: 'GET', url, headers: bearer(access.secret('access_token')) };
  },

  attachmentContents(answer, access) {
    const url = answerJson(answer).text('url');
    if (url === '') throw new Undeliverable('attachment_without_address');
    return { method: 'GET', url, headers: bearer(access.secret('access_token')) };
  },
};

function messagesOf(value: Json, phoneNumberId: string): InboundMessage[] {
  // One subscription brings the messages of every number of the business account.
  if (value.in('metadata').text('phone_number_id') !== phoneNumberId) return [];
  const names = new Map(
    value.list('contacts').map((contact) => [contact.text('wa_id'), contact.in('profile').text('name')]),
  );
  return value.list('messages').flatMap((message): InboundMessage[] => {
    const from = message.text('from');
    const read = inboundMessage({
      eventId: message.text('id'),
      conversationId: from,
      sender: { id: from, name: names.get(from) || null },
      text: textOf(message),
      attachments: attachmentsOf(message),
      replyTo: { to: from },
    });
    return read === null ? [] : [read];
  });
}

function textOf(message: Json): string {
  const type = message.text('type');
  switch (type) {
    case 'text':
      return message.in('text').text('body');
    case 'button':
      return message.in('button').text('text');
    case 'interactive': {
      const interactive = message.in('interactive');
      const chosen = interactive.has('button_reply') ? interactive.in('button_reply') : interactive.in('list_reply');
      return chosen.text('title') || chosen.text('id');
    }
    default:
      return message.in(type).text('caption');
  }
}

const KINDS: Readonly<Record<string, Attachment['kind']>> = { image: 'image', audio: 'audio', document: 'file' };

function attachmentsOf(message: Json): Attachment[] {
  const type = message.text('type');
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  const media = message.in(type);
  const id = media.text('id');
  if (kind === undefined || id === '') return [];
  // "audio/ogg; codecs=opus"
  const mimeType = media.text('mime_type').split(';')[0]!.trim() || null;
  return [{ kind, name: media.text('filename') || null, mimeType, source: { kind: 'id', id } }];
}
