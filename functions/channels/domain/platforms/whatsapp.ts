import { boundedJson } from '../../../shared/bounded-json.ts';
import { hmacSha256, isSignedByOneOf } from '../../../shared/webhooks/signatures.ts';
import { type Attachment, inboundMessage, type Quote, type ReadMessage } from '../inbound-message.ts';
import { described, fieldLines } from '../text/inbound.ts';
import {
  answerJson,
  apiBase,
  bearer,
  type ChannelAccess,
  contentOf,
  Json,
  jsonObject,
  jsonPost,
  type LateFailure,
  type Platform,
  Undeliverable,
  type WebhookRequest,
} from './platform.ts';
import {
  channelBroken,
  platformFault,
  rateLimited,
  refusedForGood,
  retryAfterMs,
  statusOutcome,
} from './send-outcome.ts';

const API = 'https://graph.facebook.com/v23.0';
/** Codes of Meta for too many messages, of the app, of the number, and to one recipient. */
const RATE_LIMITS = [4, 80_007, 130_429, 131_048, 131_056];
/** Of a service that is down or overloaded. */
const FAULTS = [1, 2, 131_000, 131_016, 133_004, 133_005];
/** Of an access token that is no longer good, or has no right to send. */
const TOKEN_FAULTS = [0, 3, 10, 190, 200, 131_005];
/** Of an account: blocked for a breach of policy, locked, without a payment method, or a number that is not registered. */
const ACCOUNT_FAULTS = [368, 131_031, 131_042, 131_045, 133_010];

export const whatsapp: Platform = {
  type: 'whatsapp',
  secrets: {
    required: ['app_secret', 'verify_token', 'access_token'],
    optional: [],
    verifying: ['app_secret', 'verify_token'],
  },
  signature: { header: ['x-hub-signature-256'], secret: 'secrets.app_secret' },
  settings: { required: ['phone_number_id'], optional: ['api_base_url'] },
  secretProblem: (name, value) => {
    if (name === 'access_token' && /^[0-9a-f]{32}$/.test(value))
      return 'is an app secret: take the access token of a system user';
    return name === 'app_secret' && /^EAA/.test(value) ? 'is an access token: take the App secret' : null;
  },
  maxReplyLength: 4_096,
  reportsFailuresLater: true,
  dialect: 'whatsapp',

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

  addressees: { setting: 'phone_number_id', of: (request) => valuesOf(request).map(numberOf) },

  read(request, { settings }) {
    const values = valuesOf(request).filter((value) => numberOf(value) === (settings.phone_number_id ?? ''));
    return contentOf(values.flatMap(messagesOf), { failures: values.flatMap(failuresOf) });
  },

  send({ id, texts, target }, access) {
    const { group = '', to = '', user = '' } = target;
    return jsonPost(messagesOfNumber(access), bearer(access.secret('access_token')), {
      messaging_product: 'whatsapp',
      recipient_type: group === '' ? 'individual' : 'group',
      // Someone with a username has no number here.
      ...(group !== '' ? { to: group } : to !== '' ? { to } : { recipient: user }),
      type: 'text',
      text: { body: texts.join('\n'), preview_url: false },
      // Comes back with the status of the message.
      biz_opaque_callback_data: id,
    });
  },

  signOfLife: ({ eventId, place }, access) =>
    place === 'direct'
      ? {
          call: jsonPost(messagesOfNumber(access), bearer(access.secret('access_token')), {
            messaging_product: 'whatsapp',
            status: 'read',
            message_id: eventId,
            typing_indicator: { type: 'text' },
          }),
          lastsMs: 25_000,
        }
      : null,

  placeOf: (to) => ({ to }),

  outcomeOf(answer) {
    const error = answerJson(answer).in('error');
    const detail = detailOf(error) || null;
    const outcome = statusOutcome(answer, detail);
    if (outcome.kind !== 'failed') return outcome;
    const code = error.number('code');
    if (code === null) return outcome;
    const name = `meta_${code}`;
    if (RATE_LIMITS.includes(code))
      return rateLimited(retryAfterMs(String(answer.headers['retry-after'] ?? '')), name, detail);
    if (FAULTS.includes(code) || error.isTrue('is_transient')) return platformFault(name, null, detail);
    if (isOfChannel(code) || answer.status === 401) return channelBroken(name, detail);
    return outcome.isPassing ? outcome : refusedForGood(name, detail);
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

/** Reports of a webhook about any number: one subscription brings those of all numbers of the business account. */
function valuesOf(request: WebhookRequest): Json[] {
  return jsonObject(request)
    .list('entry')
    .flatMap((entry) => entry.list('changes'))
    .filter((change) => ['messages', ''].includes(change.text('field')))
    .map((change) => change.in('value'));
}

const numberOf = (value: Json) => value.in('metadata').text('phone_number_id');

function messagesOfNumber(access: ChannelAccess): string {
  return `${apiBase(access, API)}/${encodeURIComponent(access.settings.phone_number_id ?? '')}/messages`;
}

const isOfChannel = (code: number) => TOKEN_FAULTS.includes(code) || ACCOUNT_FAULTS.includes(code);

/** Meta says it in several places, the most exact one first. */
function detailOf(error: Json): string {
  return error.in('error_data').text('details') || error.text('message') || error.text('title');
}

/** Failure reports for messages that the platform had accepted. */
function failuresOf(value: Json): LateFailure[] {
  return value.list('statuses').flatMap((status): LateFailure[] => {
    const partId = status.text('biz_opaque_callback_data');
    if (status.text('status') !== 'failed' || partId === '') return [];
    const error = status.list('errors')[0] ?? new Json(null);
    const isChannelBroken = isOfChannel(error.number('code') ?? -1);
    return [
      { partId, code: `meta_${error.text('code') || 'failed'}`, detail: detailOf(error) || null, isChannelBroken },
    ];
  });
}

/** Types of messages that say something about others, and are not questions. */
const NO_MESSAGES = ['reaction', 'system', 'request_welcome', 'edit', 'revoke', 'ephemeral'];

function messagesOf(value: Json): ReadMessage[] {
  const contacts = value.list('contacts');
  return value.list('messages').map((message) => {
    if (NO_MESSAGES.includes(message.text('type'))) return null;
    const number = message.text('from');
    const contact =
      contacts.find((each) => each.text('wa_id') === number && number !== '') ??
      contacts.find((each) => each.text('user_id') === message.text('from_user_id'));
    // A user with a username has a separate id, along with the number or instead of it.
    const user = message.text('from_user_id') || contact?.text('user_id') || '';
    const person = user || number;
    const group = message.text('group_id');
    const name = contact?.in('profile').text('name') || contact?.in('profile').text('username') || null;
    const text = textOf(message);
    const isForwarded = ['forwarded', 'frequently_forwarded'].some((flag) => message.in('context').isTrue(flag));
    return inboundMessage({
      eventId: message.text('id'),
      conversationId: group || person,
      sender: { id: person, name },
      text: isForwarded ? '' : text,
      quotes: isForwarded ? [{ kind: 'forward', author: '', text }] : occasionsOf(message),
      attachments: attachmentsOf(message),
      replyTo: group === '' ? { ...(number !== '' && { to: number }), ...(user !== '' && { user }) } : { group },
      place: group === '' ? 'direct' : isForOthers(message, value) ? 'overheard' : 'addressed',
      ...(user !== '' && { rename: { id: user, former: number || null } }),
    });
  });
}

/** The advertisement that the chat was started from, and the product that is asked about. WhatsApp does not say the text of a message replied to. */
function occasionsOf(message: Json): Quote[] {
  const referral = message.in('referral');
  const advertised = ['headline', 'body', 'source_url']
    .map((name) => referral.text(name))
    .filter((text) => text !== '');
  const product = message.in('context').in('referred_product').text('product_retailer_id');
  return [
    { kind: 'embed', author: 'an advertisement', text: advertised.join('\n') },
    { kind: 'embed', author: 'the catalog', text: product === '' ? '' : described('product', product) },
  ];
}

/**
 * The business makes a group to be asked in it, and WhatsApp does not say who is mentioned: a message is for the bot unless
 * it replies to someone else, or starts with someone else's number.
 */
function isForOthers(message: Json, value: Json): boolean {
  const own = value.in('metadata').text('display_phone_number').replaceAll(/\D/g, '');
  const repliedTo = message.in('context').text('from').replaceAll(/\D/g, '');
  const [, mentioned] = /^\s*@(\d{5,15})\b/.exec(message.in('text').text('body')) ?? [];
  return [repliedTo, mentioned ?? ''].some((number) => number !== '' && number !== own);
}

function textOf(message: Json): string {
  const type = message.text('type') || (message.has('location') ? 'location' : '');
  switch (type) {
    case 'text':
      return message.in('text').text('body');
    case 'button':
      return message.in('button').text('text') || message.in('button').text('payload');
    case 'interactive':
      return interactiveText(message.in('interactive'));
    case 'location': {
      const location = message.in('location');
      return described('location', ...['name', 'address', 'latitude', 'longitude'].map((name) => location.text(name)));
    }
    case 'contacts':
      return message
        .list('contacts')
        .map((contact) =>
          described(
            'contact',
            contact.in('name').text('formatted_name'),
            ...contact.list('phones').map((phone) => phone.text('phone')),
          ),
        )
        .join('\n');
    case 'order': {
      const items = message.in('order').list('product_items');
      const lines = items.map((item) => `${item.text('quantity')} × ${item.text('product_retailer_id')}`);
      return described('order', message.in('order').text('text'), ...lines);
    }
    case 'sticker':
      return described('sticker');
    case 'video':
      return [described('video'), message.in('video').text('caption')].filter((text) => text !== '').join('\n');
    case 'image':
    case 'audio':
    case 'document':
      return message.in(type).text('caption');
    default:
      return described('unsupported message', message.in('unsupported').text('type'));
  }
}

function interactiveText(interactive: Json): string {
  if (interactive.has('nfm_reply')) {
    const flow = interactive.in('nfm_reply');
    return fieldLines(jsonFields(flow.text('response_json'))) || flow.text('body');
  }
  const chosen = interactive.has('button_reply') ? interactive.in('button_reply') : interactive.in('list_reply');
  return chosen.text('title') || chosen.text('id');
}

/** The answers of a flow, without what identifies the flow. */
function jsonFields(text: string): Readonly<Record<string, unknown>> {
  try {
    const { flow_token: _, ...fields } = new Json({ fields: boundedJson(text) }).fields('fields');
    return fields;
  } catch {
    return {};
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
