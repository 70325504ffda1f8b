import { hmacSha256, isSignedByOneOf, isTimely } from '../../../shared/webhooks/signatures.ts';
import { type Attachment, inboundMessage, type Quote, type ReadMessage } from '../inbound-message.ts';
import { fromMrkdwn } from '../text/inbound.ts';
import {
  addressOf,
  answerJson,
  apiBase,
  attachmentKind,
  bearer,
  contentOf,
  isOfApi,
  type Json,
  jsonObject,
  jsonPost,
  MalformedWebhook,
  type Platform,
  type ReplyPart,
  type WebhookContent,
  type WebhookRequest,
} from './platform.ts';
import {
  channelBroken,
  DELIVERED,
  platformFault,
  rateLimited,
  refusedForGood,
  retryAfterMs,
  statusOutcome,
  tryAgain,
} from './send-outcome.ts';
import { actionValue, submittedFiles, submittedText } from './slack-forms.ts';

const API = 'https://slack.com/api';
/** Codes in which Slack says that the fault is its own. */
const PLATFORM_FAULTS = [
  'fatal_error',
  'internal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
];
/** Codes of a token that is no longer good, or lacks the right to write. */
const TOKEN_FAULTS = [
  ...['invalid_auth', 'not_authed', 'token_revoked', 'token_expired', 'account_inactive'],
  ...['missing_scope', 'not_allowed_token_type', 'access_denied', 'org_login_required', 'ekm_access_denied'],
];

/** A response_url takes five messages within 30 minutes; in the last one the bot's own message is the safer way. */
const RESPONSE_URL_VALID_MS = 29 * 60_000;
const RESPONSE_URL_USES = 5;
/** Slack's own host of these addresses: another one would have the tenant's host answer for Slack. */
const RESPONSE_URL_HOST = /^hooks\.slack(?:-gov)?\.com$/;
const RESPONSE_URL_ENDED = ['used_url', 'expired_url'];

export const slack: Platform = {
  type: 'slack',
  secrets: { required: ['signing_secret', 'bot_token'], optional: [], verifying: ['signing_secret'] },
  signature: {
    header: ['x-slack-signature'],
    timestamp: ['x-slack-request-timestamp'],
    secret: 'secrets.signing_secret',
  },
  settings: { required: [], optional: ['api_base_url'] },
  secretProblem: (name, value) => {
    if (name === 'signing_secret' && /^xox[a-z]/.test(value))
      return 'is a token: take the Signing Secret of Basic Information';
    if (name === 'bot_token' && /^[0-9a-f]{32}$/.test(value))
      return 'is a signing secret: take the Bot User OAuth Token, which starts with xoxb-';
    return name === 'bot_token' && /^xapp-/.test(value) ? 'is a token of the app: take the Bot User OAuth Token' : null;
  },
  // Slack cuts a message at 40,000 and shows one of more than 4,000 badly.
  maxReplyLength: 4_000,
  dialect: 'mrkdwn',

  verify(request, access) {
    // Slack signs everything else, as its own library has it. Nothing follows from this one.
    if (isCertificateCheck(request)) return true;
    const { headers, body, nowMs } = request;
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
    if (isCertificateCheck(request)) return contentOf([]);
    if (isForm(request)) return readForm(request);
    const body = jsonObject(request);
    if (body.text('type') === 'url_verification')
      return contentOf([], { reply: { status: 200, body: { challenge: body.text('challenge') } } });
    return contentOf([body.text('type') === 'event_callback' ? eventMessage(body) : null]);
  },

  send(part, access, nowMs) {
    const { channel = '', thread_ts, response_url } = part.target;
    const content = { text: part.texts.join('\n'), ...(thread_ts && { thread_ts }) };
    // Works where the bot is not a member, too.
    if (response_url && isOfApi(response_url, access, RESPONSE_URL_HOST) && mayRespond(part, nowMs))
      return jsonPost(response_url, {}, { ...content, response_type: 'in_channel', replace_original: false });
    return jsonPost(`${apiBase(access, API)}/chat.postMessage`, bearer(access.secret('bot_token')), {
      channel,
      ...content,
      unfurl_links: false,
      metadata: { event_type: 'tripod_reply', event_payload: { id: part.id } },
    });
  },

  // Shown in threads only, until the bot writes.
  signOfLife: ({ replyTo: { channel = '', thread_ts = '' } }, access) =>
    thread_ts === ''
      ? null
      : {
          call: jsonPost(`${apiBase(access, API)}/assistant.threads.setStatus`, bearer(access.secret('bot_token')), {
            channel_id: channel,
            thread_ts,
            status: 'is thinking…',
          }),
          lastsMs: 120_000,
        },

  placeOf: (channel) => ({ channel }),

  outcomeOf(answer) {
    const body = answerJson(answer);
    const code = body.text('error') || answer.text.trim().slice(0, 100);
    if (RESPONSE_URL_ENDED.includes(code)) return tryAgain(code, code);
    if (answer.status !== 200) return statusOutcome(answer, /^\w+$/.test(code) ? code : null);
    // A response_url answers with the bare word.
    if (body.isTrue('ok') || code === 'ok') return DELIVERED;
    if (code === 'ratelimited' || code === 'rate_limited')
      return rateLimited(retryAfterMs(String(answer.headers['retry-after'] ?? '')));
    if (PLATFORM_FAULTS.includes(code) || !/^\w+$/.test(code))
      return platformFault(/^\w+$/.test(code) ? code : 'not_ok');
    const needed = body.text('needed');
    const detail = needed === '' ? code : `${code}: needs ${needed}`;
    return TOKEN_FAULTS.includes(code) ? channelBroken(code, detail) : refusedForGood(code, detail);
  },

  attachment(attachment, access) {
    const url = addressOf(attachment);
    // The bot's token goes nowhere but to Slack.
    const { hostname = '', origin } = URL.parse(url) ?? {};
    const isSlack = hostname.endsWith('.slack.com') || origin === URL.parse(apiBase(access, API))?.origin;
    return { method: 'GET', url, headers: isSlack ? bearer(access.secret('bot_token')) : {} };
  },

  // Without the scope Slack answers 200 with its sign-in page.
  attachmentProblem: ({ mimeType }, answeredType) =>
    answeredType === 'text/html' && mimeType !== 'text/html' ? 'the Slack app lacks the scope files:read' : null,
};

function mayRespond({ target: { until = '0' }, index, previous }: ReplyPart, nowMs: number): boolean {
  const hasEnded = previous !== null && RESPONSE_URL_ENDED.includes(previous.code);
  return nowMs < Number(until) && index <= RESPONSE_URL_USES && !hasEnded;
}

function eventMessage(body: Json): ReadMessage {
  const event = body.in('event');
  const type = event.text('type');
  const subtype = event.text('subtype');
  if (type !== 'message' && type !== 'app_mention') return null;
  // The bot's own messages come back as events, and edits are not new messages.
  if (event.text('bot_id') !== '' || !['', 'file_share', 'thread_broadcast', 'me_message'].includes(subtype))
    return null;
  const [channel, ts] = [event.text('channel'), event.text('ts')];
  const bot =
    body
      .list('authorizations')
      .find((each) => each.isTrue('is_bot'))
      ?.text('user_id') ?? '';
  const isDirect = isDirectChannel(channel, event.text('channel_type'));
  const isAddressed =
    type === 'app_mention' ||
    (bot !== '' && (event.text('text').includes(`<@${bot}`) || event.text('parent_user_id') === bot));
  // In a channel the reply goes to a thread below the message, in a direct conversation into the conversation itself. Slack reports one
  // channel message both as a mention and as a message; both are read as the same message.
  const thread = event.text('thread_ts') || (isDirect ? '' : ts);
  return inboundMessage({
    eventId: ts === '' ? '' : `${channel}:${ts}`,
    conversationId: thread === '' ? channel : `${channel}:${thread}`,
    sender: { id: event.text('user'), name: null },
    text: fromMrkdwn(event.text('text'), bot),
    quotes: [...rootQuote(event, bot), ...sharedQuotes(event)],
    attachments: filesOf(event),
    replyTo: { channel, ...(thread !== '' && { thread_ts: thread }) },
    place: isDirect ? 'direct' : isAddressed ? 'addressed' : 'overheard',
    // Who mentions someone else asks them.
    ...(!isDirect && (isAddressed || isFollowUp(event)) && { isInThread: true }),
  });
}

/** Whether a message is in a thread, and for no one in particular. */
const isFollowUp = (event: Json) => event.text('thread_ts') !== '' && !/<[@!][A-Za-z]/.test(event.text('text'));

/** The message that started the thread, where a reply in it is sent to the channel as well. */
function rootQuote(event: Json, bot: string): Quote[] {
  const root = event.in('root');
  const author = root.text('user') === bot ? 'you' : root.text('username') || root.text('user');
  return [{ kind: 'reply', author, text: fromMrkdwn(root.text('text'), '') }];
}

/** Messages that are shared in a message, and previews of its links. */
function sharedQuotes(message: Json): Quote[] {
  return message.list('attachments').map((shared) => {
    const said = [shared.text('pretext'), shared.text('title'), shared.text('text')].filter((text) => text !== '');
    return {
      kind: shared.isTrue('is_share') || shared.isTrue('is_msg_unfurl') ? 'forward' : 'embed',
      author: shared.text('author_name') || shared.text('author_subname') || shared.text('service_name'),
      text: fromMrkdwn(said.join('\n') || shared.text('fallback'), ''),
    };
  });
}

/** Files of a message, and of the messages that are shared in it. */
function filesOf(message: Json): Attachment[] {
  return [message, ...message.list('attachments')].flatMap((each) => each.list('files')).flatMap(fileAttachment);
}

function isDirectChannel(channel: string, type: string): boolean {
  return type === '' ? channel.startsWith('D') : type === 'im' || type === 'app_home';
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

const isForm = ({ headers }: WebhookRequest) => headers['content-type']?.includes('x-www-form-urlencoded') === true;
const formOf = ({ body }: WebhookRequest) => new URLSearchParams(body.toString('utf8'));

/** Slack looks from time to time whether the address of a command has a good certificate. */
const isCertificateCheck = (request: WebhookRequest) => isForm(request) && formOf(request).get('ssl_check') === '1';

/** Slash commands, actions of buttons and menus, and forms that were sent. */
function readForm(request: WebhookRequest): WebhookContent {
  const { nowMs } = request;
  const form = formOf(request);
  const payload = form.get('payload');
  if (payload === null) return contentOf([commandMessage(form, nowMs)]);
  const interaction = jsonObject({ body: Buffer.from(payload) });
  const isSubmission = interaction.text('type') === 'view_submission';
  return contentOf([isSubmission ? submissionMessage(interaction, nowMs) : actionMessage(interaction, nowMs)]);
}

/** Where to send the answer to a command or an action: preferably its response URL. */
function interactionTarget(channel: string, thread: string, responseUrl: string, nowMs: number) {
  return {
    channel,
    ...(thread !== '' && { thread_ts: thread }),
    ...(responseUrl !== '' && { response_url: responseUrl, until: String(nowMs + RESPONSE_URL_VALID_MS) }),
  };
}

function commandMessage(form: URLSearchParams, nowMs: number): ReadMessage {
  const field = (name: string) => form.get(name) ?? '';
  if (field('command') === '') throw new MalformedWebhook('The form is neither a command nor an action.');
  const channel = field('channel_id');
  return inboundMessage({
    eventId: field('trigger_id'),
    conversationId: channel,
    sender: { id: field('user_id'), name: field('user_name') || null },
    text: fromMrkdwn(field('text'), '') || field('command'),
    attachments: [],
    replyTo: interactionTarget(channel, '', field('response_url'), nowMs),
    place: isDirectChannel(channel, '') ? 'direct' : 'addressed',
  });
}

function actionMessage(payload: Json, nowMs: number): ReadMessage {
  const type = payload.text('type');
  if (type !== 'block_actions' && type !== 'message_action') return null;
  const message = payload.in('message');
  const thread = message.text('thread_ts');
  const channel = payload.in('channel').text('id') || payload.in('container').text('channel_id');
  const text =
    type === 'message_action'
      ? message.text('text')
      : payload.list('actions').map(actionValue).filter(Boolean).join('\n');
  return inboundMessage({
    eventId: payload.text('trigger_id'),
    conversationId: thread === '' ? channel : `${channel}:${thread}`,
    sender: { id: payload.in('user').text('id'), name: payload.in('user').text('name') || null },
    text: fromMrkdwn(text, ''),
    quotes: type === 'message_action' ? sharedQuotes(message) : [],
    attachments: type === 'message_action' ? filesOf(message) : [],
    replyTo: interactionTarget(channel, thread, payload.text('response_url'), nowMs),
    place: isDirectChannel(channel, '') ? 'direct' : 'addressed',
  });
}

/** A form is in no channel, unless it asks for one to answer in: else its sender gets the answer directly. */
function submissionMessage(payload: Json, nowMs: number): ReadMessage {
  const view = payload.in('view');
  const user = payload.in('user');
  const [response] = payload.list('response_urls');
  const channel = response?.text('channel_id') || user.text('id');
  return inboundMessage({
    eventId: payload.text('trigger_id') || `${view.text('id')}:${view.text('hash')}`,
    conversationId: channel,
    sender: { id: user.text('id'), name: user.text('name') || null },
    text: fromMrkdwn(submittedText(view), ''),
    attachments: submittedFiles(view).flatMap(fileAttachment),
    replyTo: interactionTarget(channel, '', response?.text('response_url') ?? '', nowMs),
    place: response === undefined || isDirectChannel(channel, '') ? 'direct' : 'addressed',
  });
}
