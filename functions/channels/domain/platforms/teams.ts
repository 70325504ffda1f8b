import { isSameText } from '../../../shared/webhooks/signatures.ts';
import { withoutTrailingSlashes } from '../../../shared/without-trailing-slashes.ts';
import { type Attachment, inboundMessage } from '../inbound-message.ts';
import {
  ACKNOWLEDGED,
  addressOf,
  attachmentKind,
  bearer,
  type Json,
  jsonObject,
  jsonPost,
  type Platform,
  statusOutcome,
} from './platform.ts';

const MAX_TOKEN_LENGTH = 8_000;

export const teams: Platform = {
  type: 'teams',
  secrets: { required: ['app_password'], optional: [], verifying: [] },
  settings: { required: ['app_id'], optional: ['tenant_id', 'api_base_url'] },
  // A message has at most 28 KB of UTF-16, with what surrounds it.
  maxReplyLength: 10_000,
  format: (markdown) => markdown,

  async verify(request, { settings }, tokens) {
    const [, token] = /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined || token.length > MAX_TOKEN_LENGTH) return false;
    const activity = activityOf(request.body);
    const serviceUrl = activity?.text('serviceUrl') ?? '';
    if (serviceUrl === '') return false;
    const { app_id: appId = '', api_base_url: apiBaseUrl = null } = settings;
    return tokens.isValid(token, { appId, serviceUrl, apiBaseUrl });
  },

  read(request, { settings }) {
    const activity = jsonObject(request);
    const conversation = activity.in('conversation');
    const tenant = conversation.text('tenantId') || activity.in('channelData').in('tenant').text('id');
    const isOwn = settings.tenant_id === undefined || isSameText(settings.tenant_id, tenant);
    if (activity.text('type') !== 'message' || !isOwn) return { messages: [], reply: ACKNOWLEDGED };
    const from = activity.in('from');
    const message = inboundMessage({
      eventId: activity.text('id'),
      conversationId: conversation.text('id'),
      sender: { id: from.text('aadObjectId') || from.text('id'), name: from.text('name') || null },
      text: withoutMentions(activity),
      attachments: activity.list('attachments').flatMap((each) => attachmentOf(each, activity.text('serviceUrl'))),
      replyTo: {
        service_url: activity.text('serviceUrl'),
        conversation: conversation.text('id'),
        activity: activity.text('id'),
        bot: activity.in('recipient').text('id'),
      },
    });
    return { messages: message === null ? [] : [message], reply: ACKNOWLEDGED };
  },

  async send({ text, target, channelId }, access, _, tokens) {
    const { service_url = '', conversation = '', activity = '', bot = '' } = target;
    const path = `v3/conversations/${encodeURIComponent(conversation)}/activities/${encodeURIComponent(activity)}`;
    return jsonPost(`${withoutTrailingSlashes(service_url)}/${path}`, bearer(await tokens.teams(channelId, access)), {
      type: 'message',
      text,
      textFormat: 'markdown',
      replyToId: activity,
      ...(bot !== '' && { from: { id: bot } }),
      conversation: { id: conversation },
    });
  },

  outcomeOf: statusOutcome,

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

/** In a group a message names the bot, between tags. */
function withoutMentions(activity: Json): string {
  const bot = activity.in('recipient').text('id');
  const mentions = activity
    .list('entities')
    .filter((entity) => entity.text('type') === 'mention' && entity.in('mentioned').text('id') === bot)
    .map((entity) => entity.text('text'))
    .filter((text) => text !== '');
  return mentions.reduce((text, mention) => text.replaceAll(mention, ''), activity.text('text'));
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
