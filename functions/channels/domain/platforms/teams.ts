import { isSameText } from '../../../shared/webhooks/signatures.ts';
import { withoutTrailingSlashes } from '../../../shared/without-trailing-slashes.ts';
import { type Attachment, inboundMessage, type ReadMessage, type ReplyTarget } from '../inbound-message.ts';
import { fieldLines, withoutEntities } from '../text/inbound.ts';
import {
  ACKNOWLEDGED,
  addressOf,
  answerJson,
  apiBase,
  attachmentKind,
  bearer,
  type ChannelAccess,
  contentOf,
  isOfApi,
  type Json,
  jsonObject,
  jsonPost,
  type Platform,
  type WebhookReply,
} from './platform.ts';
import { channelBroken, refusedForGood, statusOutcome, TOKEN_REFUSED, tryAgain } from './send-outcome.ts';
import { teamsQuotes, withoutQuoted } from './teams-quotes.ts';

const MAX_TOKEN_LENGTH = 8_000;

export const teams: Platform = {
  type: 'teams',
  secrets: { required: ['app_password'], optional: [], verifying: [] },
  signature: { header: ['authorization'], secret: 'settings.app_id' },
  settings: { required: ['app_id', 'tenant_id'], optional: ['api_base_url'] },
  settingProblem: (name, value) =>
    name === 'tenant_id' && value !== MULTI_TENANT && !TENANT_ID.test(value)
      ? `is neither the id of the app's tenant nor "${MULTI_TENANT}" for a multi-tenant app`
      : null,
  secretProblem: (name, value) =>
    name === 'app_password' && TENANT_ID.test(value) ? 'is the id of a client secret: take its value' : null,
  // A message has at most 28 KB of UTF-16, with what surrounds it.
  maxReplyLength: 10_000,
  dialect: 'markdown',

  async verify(request, { settings }, tokens) {
    const [, token] = /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined || token.length > MAX_TOKEN_LENGTH) return false;
    const activity = activityOf(request.body);
    const serviceUrl = activity?.text('serviceUrl') ?? '';
    if (activity === null || serviceUrl === '') return false;
    const { app_id: appId = '', api_base_url: apiBaseUrl = null } = settings;
    return tokens.isValid(token, { appId, serviceUrl, apiBaseUrl, channelId: activity.text('channelId') });
  },

  read(request, { settings }) {
    const activity = jsonObject(request);
    const type = activity.text('type');
    const reply = type === 'invoke' ? invokeReply(activity) : ACKNOWLEDGED;
    const isCard = type === 'invoke' && activity.text('name') === CARD_ACTION;
    const isSuggested = type === 'invoke' && activity.text('name') === SUGGESTED_ACTION;
    if (type !== 'message' && !isCard && !isSuggested) return contentOf([], { reply });
    const conversation = activity.in('conversation');
    const tenant = conversation.text('tenantId') || activity.in('channelData').in('tenant').text('id');
    const { tenant_id: own = MULTI_TENANT } = settings;
    const isOwn = own === MULTI_TENANT || isSameText(own, tenant);
    return contentOf([isOwn ? messageOf(activity, isCard) : { skipped: 'other_tenant' }], { reply });
  },

  async send({ texts, target, channelId }, access, _, tokens) {
    const { conversation = '', activity = '', bot = '' } = target;
    const answered = activity === '' ? '' : `/${encodeURIComponent(activity)}`;
    return jsonPost(`${activitiesOf(target, access)}${answered}`, bearer(await tokens.teams(channelId, access)), {
      type: 'message',
      text: texts.join('\n\n'),
      textFormat: 'markdown',
      ...(activity !== '' && { replyToId: activity }),
      ...(bot !== '' && { from: { id: bot } }),
      conversation: { id: conversation },
    });
  },

  async signOfLife({ replyTo }, access, channelId, tokens) {
    const { conversation = '', bot = '' } = replyTo;
    const body = { type: 'typing', from: { id: bot }, conversation: { id: conversation } };
    return {
      call: jsonPost(activitiesOf(replyTo, access), bearer(await tokens.teams(channelId, access)), body),
      lastsMs: 4_000,
    };
  },

  placeOf: (conversation, { settings }) => ({ conversation, service_url: settings.api_base_url ?? SERVICE_URL }),

  outcomeOf(answer, { previous }) {
    const error = answerJson(answer).in('error');
    const detail = error.text('message') || answerJson(answer).text('message') || null;
    // A token may be refused before its time; the next attempt has a new one.
    if (answer.status === 401)
      return previous?.code === TOKEN_REFUSED ? channelBroken('http_401', detail) : tryAgain(TOKEN_REFUSED, detail);
    // Microsoft asks to repeat these, as it does 502 and 504.
    if (answer.status === 412) return tryAgain('http_412', detail);
    const outcome = statusOutcome(answer, detail);
    const code = error.text('code');
    return outcome.kind === 'failed' && !outcome.isPassing && code !== '' ? refusedForGood(code, detail) : outcome;
  },

  async attachment(attachment, access, channelId, tokens) {
    const isPublic = attachment.source.kind === 'public';
    const headers = isPublic ? {} : bearer(await tokens.teams(channelId, access));
    return { method: 'GET', url: addressOf(attachment), headers };
  },
};

function activityOf(body: Buffer): Json | null {
  try {
    return jsonObject({ body });
  } catch {
    return null;
  }
}

/** The global address of the Bot Framework's connector. */
const SERVICE_URL = 'https://smba.trafficmanager.net/teams';
/** Hosts of the connector: by region, and in the clouds of governments and China. */
const SERVICE_HOST =
  /^smba\.trafficmanager\.net$|\.(?:teams\.microsoft\.(?:com|us)|botframework\.(?:com|us|azure\.us|azure\.cn))$/;
/** The tenant that issues the tokens of multi-tenant apps. */
const MULTI_TENANT = 'botframework.com';
const TENANT_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The address that a conversation is reached at; the channel's own where that has changed since the message came. */
function serviceOf({ service_url = '' }: ReplyTarget, access: Pick<ChannelAccess, 'settings'>): string {
  return isOfApi(service_url, access, SERVICE_HOST) ? service_url : apiBase(access, SERVICE_URL);
}

function activitiesOf(target: ReplyTarget, access: Pick<ChannelAccess, 'settings'>): string {
  const conversation = encodeURIComponent(target.conversation ?? '');
  return `${withoutTrailingSlashes(serviceOf(target, access))}/v3/conversations/${conversation}/activities`;
}

const CARD_ACTION = 'adaptiveCard/action';
const SUGGESTED_ACTION = 'suggestedActions/submit';
/** Invokes that want no more than to be taken. */
const TAKEN_INVOKES = [
  SUGGESTED_ACTION,
  'message/submitAction',
  'fileConsent/invoke',
  'signin/verifyState',
  'signin/tokenExchange',
];

/** Teams shows an error to the person unless an invoke gets the answer that its name asks for. */
function invokeReply(activity: Json): WebhookReply {
  const name = activity.text('name');
  if (name === CARD_ACTION) {
    const body = { statusCode: 200, type: 'application/vnd.microsoft.activity.message', value: '…' };
    return { status: 200, body };
  }
  return TAKEN_INVOKES.includes(name) ? { status: 200, body: {} } : { status: 501, body: {} };
}

function messageOf(activity: Json, isCard: boolean): ReadMessage {
  const conversation = activity.in('conversation');
  const from = activity.in('from');
  const bot = activity.in('recipient').text('id');
  const isMentioned = activity
    .list('entities')
    .some((entity) => entity.text('type') === 'mention' && entity.in('mentioned').text('id') === bot);
  const isGroup =
    conversation.isTrue('isGroup') || ['groupChat', 'channel'].includes(conversation.text('conversationType'));
  const language = activity.text('locale');
  const id = activity.text('id');
  const quotes = teamsQuotes(activity, bot);
  return inboundMessage({
    // Unique within its conversation only.
    eventId: id === '' ? '' : `${conversation.text('id')}|${id}`,
    conversationId: conversation.text('id'),
    sender: { id: from.text('aadObjectId') || from.text('id'), name: from.text('name') || null },
    text: isCard ? cardText(activity.in('value').in('action')) : withoutQuoted(spoken(activity, bot), quotes),
    quotes,
    attachments: activity.list('attachments').flatMap((each) => attachmentOf(each, activity.text('serviceUrl'))),
    replyTo: {
      service_url: activity.text('serviceUrl'),
      conversation: conversation.text('id'),
      activity: isCard ? activity.text('replyToId') || id : id,
      bot,
    },
    place: !isGroup ? 'direct' : isMentioned || isCard || activity.has('value') ? 'addressed' : 'overheard',
    ...(language !== '' && { language }),
  });
}

/** The inputs of a card that was sent, or what its button says. */
function cardText(action: Json): string {
  return fieldLines(action.fields('data')) || action.text('verb') || action.text('title');
}

/** The text without mentions of the bot, or the inputs of a card that was sent in its place. */
function spoken(activity: Json, bot: string): string {
  const text = activity.text('text');
  if (text === '') return fieldLines(activity.fields('value')) || activity.text('value');
  const own = activity
    .list('entities')
    .filter((entity) => entity.text('type') === 'mention' && entity.in('mentioned').text('id') === bot)
    .map((entity) => entity.text('text'))
    .filter((mention) => mention !== '');
  const unaddressed = own.reduce((rest, mention) => rest.replaceAll(mention, ''), text);
  // In a channel Teams writes line breaks and mentions of others as tags.
  return withoutEntities(
    unaddressed.replaceAll(/<at(?: id="[^"<>]{0,50}")?>([^<]{0,200})<\/at>/g, '@$1').replaceAll(/<br ?\/?>/g, '\n'),
  );
}

const FILE_DOWNLOAD = 'application/vnd.microsoft.teams.file.download.info';

function attachmentOf(attachment: Json, serviceUrl: string): Attachment[] {
  const type = attachment.text('contentType');
  const name = attachment.text('name') || null;
  if (type === FILE_DOWNLOAD) {
    const url = attachment.in('content').text('downloadUrl');
    // The address is signed already, and the type is not given.
    return url === '' ? [] : [{ kind: 'file', name, mimeType: null, source: { kind: 'public', url } }];
  }
  const url = attachment.text('contentUrl');
  if (url === '' || type.startsWith('text/') || type.startsWith('application/vnd.microsoft.card')) return [];
  // The bot's token goes nowhere but to the service that its messages come from.
  const isOwn = URL.parse(url)?.origin === URL.parse(serviceUrl)?.origin;
  return [
    {
      kind: attachmentKind(type),
      name,
      mimeType: type || null,
      source: { kind: isOwn ? 'authorized' : 'public', url },
    },
  ];
}
