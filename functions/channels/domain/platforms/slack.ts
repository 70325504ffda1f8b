import { hmacSha256, isSignedByOneOf, isTimely } from '../../../shared/webhooks/signatures.ts';
import { type Attachment, type InboundMessage, inboundMessage } from '../inbound-message.ts';
import { toMrkdwn } from '../text/format.ts';
import {
  ACKNOWLEDGED,
  addressOf,
  answerJson,
  apiBase,
  attachmentKind,
  bearer,
  DELIVERED,
  type Json,
  jsonObject,
  jsonPost,
  MalformedWebhook,
  type Platform,
  platformFault,
  rateLimited,
  refusedForGood,
  retryAfterMs,
  statusOutcome,
  type WebhookContent,
  type WebhookRequest,
} from './platform.ts';

const API = 'https://slack.com/api';
/** Codes in which Slack says that the fault is its own. */
const PLATFORM_FAULTS = [
  'fatal_error',
  'internal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
];

export const slack: Platform = {
  type: 'slack',
  secrets: { required: ['signing_secret', 'bot_token'], optional: [], verifying: ['signing_secret'] },
  settings: { required: [], optional: ['api_base_url'] },
  // Slack cuts a message at 40,000 and shows one of more than 4,000 badly.
  maxReplyLength: 4_000,
  format: toMrkdwn,

  verify({ headers, body, nowMs }, access) {
    const timestamp = headers['x-slack-request-timestamp'];
    const sent = headers['x-slack-signature'];
    if (sent === undefined || !isTimely(timestamp, nowMs)) return false;
    return isSignedByOneOf(
      access.validSecrets('signing_secret'),
      sent,
      (secret) => `v0=${hmacSha256(secret, `v0:${timestamp}:`, body).toString('hex')}`,
    );
  },

  read(request) {
    if (request.headers['content-type']?.includes('x-www-form-urlencoded')) return readForm(request);
    const body = jsonObject(request);
    if (body.text('type') === 'url_verification')
      return { messages: [], reply: { status: 200, body: { challenge: body.text('challenge') } } };
    const message = body.text('type') === 'event_callback' ? eventMessage(body) : null;
    return { messages: message === null ? [] : [message], reply: ACKNOWLEDGED };
  },

  send({ text, target, id }, access) {
    const { channel = '', thread_ts } = target;
    return jsonPost(`${apiBase(access, API)}/chat.postMessage`, bearer(access.secret('bot_token')), {
      channel,
      text,
      ...(thread_ts && { thread_ts }),
      unfurl_links: false,
      metadata: { event_type: 'tripod_reply', event_payload: { id } },
    });
  },

  outcomeOf(answer) {
    if (answer.status !== 200) return statusOutcome(answer);
    const body = answerJson(answer);
    if (body.isTrue('ok')) return DELIVERED;
    const code = body.text('error') || 'not_ok';
    if (code === 'ratelimited' || code === 'rate_limited')
      return rateLimited(retryAfterMs(String(answer.headers['retry-after'] ?? '')));
    return PLATFORM_FAULTS.includes(code) || code === 'not_ok' ? platformFault(code) : refusedForGood(code);
  },

  attachment(attachment, access) {
    const url = addressOf(attachment);
    // The bot's token goes nowhere but to Slack.
    const { hostname = '', origin } = URL.parse(url) ?? {};
    const isSlack = hostname.endsWith('.slack.com') || origin === URL.parse(apiBase(access, API))?.origin;
    return { method: 'GET', url, headers: isSlack ? bearer(access.secret('bot_token')) : {} };
  },
};

function eventMessage(body: Json): InboundMessage | null {
  const event = body.in('event');
  const type = event.text('type');
  const subtype = event.text('subtype');
  if (type !== 'message' && type !== 'app_mention') return null;
  // The bot's own messages come back as events, and edits are no new messages.
  if (event.text('bot_id') !== '' || !['', 'file_share', 'thread_broadcast'].includes(subtype)) return null;
  const channel = event.text('channel');
  // In a channel the reply goes to a thread below the mention; in a direct conversation it goes beside it.
  const thread = event.text('thread_ts') || (type === 'app_mention' ? event.text('ts') : '');
  return inboundMessage({
    eventId: body.text('event_id'),
    conversationId: thread === '' ? channel : `${channel}:${thread}`,
    sender: { id: event.text('user'), name: null },
    text: plainText(event.text('text')),
    attachments: event.list('files').flatMap(fileAttachment),
    replyTo: { channel, ...(thread !== '' && { thread_ts: thread }) },
  });
}

function fileAttachment(file: Json): Attachment[] {
  const url = file.text('url_private_download') || file.text('url_private');
  if (url === '') return [];
  const mimeType = file.text('mimetype');
  return [
    {
      kind: attachmentKind(mimeType),
      name: file.text('name') || null,
      mimeType: mimeType || null,
      source: { kind: 'authorized', url },
    },
  ];
}

/** Slash commands, and actions of buttons and menus. */
function readForm({ body }: WebhookRequest): WebhookContent {
  const form = new URLSearchParams(body.toString('utf8'));
  const payload = form.get('payload');
  const message = payload === null ? commandMessage(form) : actionMessage(jsonObject({ body: Buffer.from(payload) }));
  return { messages: message === null ? [] : [message], reply: ACKNOWLEDGED };
}

function commandMessage(form: URLSearchParams): InboundMessage | null {
  const field = (name: string) => form.get(name) ?? '';
  if (field('command') === '') throw new MalformedWebhook('The form is neither a command nor an action.');
  return inboundMessage({
    eventId: field('trigger_id'),
    conversationId: field('channel_id'),
    sender: { id: field('user_id'), name: field('user_name') || null },
    text: field('text') || field('command'),
    attachments: [],
    replyTo: { channel: field('channel_id') },
  });
}

function actionMessage(payload: Json): InboundMessage | null {
  const [action] = payload.list('actions');
  if (payload.text('type') !== 'block_actions' || action === undefined) return null;
  const thread = payload.in('message').text('thread_ts');
  const channel = payload.in('channel').text('id');
  return inboundMessage({
    eventId: payload.text('trigger_id'),
    conversationId: thread === '' ? channel : `${channel}:${thread}`,
    sender: { id: payload.in('user').text('id'), name: payload.in('user').text('name') || null },
    text: action.text('value') || action.in('selected_option').text('value') || action.text('action_id'),
    attachments: [],
    replyTo: { channel, ...(thread !== '' && { thread_ts: thread }) },
  });
}

/** Without the mention that a message to the bot begins with, and without Slack's escapes. */
function plainText(text: string): string {
  return text
    .replace(/^\s*<@[A-Z0-9]{1,30}>/, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
