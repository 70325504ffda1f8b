import { isEd25519Key, isEd25519Signature, isTimely } from '../../../shared/webhooks/signatures.ts';
import { type Attachment, type InboundMessage, inboundMessage } from '../inbound-message.ts';
import {
  addressOf,
  answerJson,
  apiBase,
  attachmentKind,
  type HttpCall,
  type Json,
  jsonObject,
  jsonPost,
  type Platform,
  rateLimited,
  retryAfterMs,
  statusOutcome,
  Undeliverable,
} from './platform.ts';

const API = 'https://discord.com/api/v10';
/** A follow-up token is valid for 15 minutes; in the last one a bot's own message is the safer way. */
const TOKEN_VALID_MS = 14 * 60_000;

const PING = 1;
const COMMAND = 2;
const COMPONENT = 3;
const AUTOCOMPLETE = 4;
const MODAL = 5;

/** Types of responses to an interaction. */
const PONG = { type: 1 };
const DEFERRED = { type: 5 };
const NO_CHOICES = { type: 8, data: { choices: [] } };

export const discord: Platform = {
  type: 'discord',
  secrets: { required: ['public_key'], optional: ['bot_token'], verifying: ['public_key'] },
  settings: { required: [], optional: ['api_base_url'] },
  secretProblem: (name, value) =>
    name === 'public_key' && !isEd25519Key(value)
      ? 'must be the 64 hexadecimal digits of the application’s public key'
      : null,
  maxReplyLength: 2_000,
  format: (markdown) => markdown,

  verify({ headers, body, nowMs }, access) {
    const { 'x-signature-ed25519': signature, 'x-signature-timestamp': timestamp } = headers;
    if (signature === undefined || !isTimely(timestamp, nowMs)) return false;
    const signed = Buffer.concat([Buffer.from(timestamp), body]);
    return access
      .validSecrets('public_key')
      .map((key) => isEd25519Signature(key, signature, signed))
      .includes(true);
  },

  read(request) {
    const interaction = jsonObject(request);
    const type = interaction.number('type');
    if (type === PING) return { messages: [], reply: { status: 200, body: PONG } };
    if (type === AUTOCOMPLETE) return { messages: [], reply: { status: 200, body: NO_CHOICES } };
    const message = interactionMessage(interaction, type, request.nowMs);
    return { messages: message === null ? [] : [message], reply: { status: 200, body: DEFERRED } };
  },

  send({ id, text, target, isFirst }, access, nowMs) {
    const { application = '', token = '', channel = '', until = '0' } = target;
    const base = apiBase(access, API);
    const content = { content: text, allowed_mentions: { parse: [] } };
    if (token !== '' && nowMs < Number(until))
      return followUp(`${base}/webhooks/${application}/${token}`, content, isFirst);
    const bot = access.secret('bot_token');
    if (bot === '' || channel === '') throw new Undeliverable('interaction_expired');
    // With enforce_nonce Discord drops a message that it has; it takes 25 characters.
    return jsonPost(
      `${base}/channels/${channel}/messages`,
      { authorization: `Bot ${bot}` },
      { ...content, nonce: nonceOf(id), enforce_nonce: true },
    );
  },

  outcomeOf(answer) {
    if (answer.status !== 429) return statusOutcome(answer);
    const after = answerJson(answer).number('retry_after');
    return rateLimited(retryAfterMs(after ?? String(answer.headers['retry-after'] ?? '')));
  },

  attachment: (attachment) => ({ method: 'GET', url: addressOf(attachment), headers: {} }),
};

/** The first part takes the place of "thinking…", which is the same however often it is done. */
function followUp(url: string, content: object, isFirst: boolean): HttpCall {
  const call = jsonPost(isFirst ? `${url}/messages/@original` : url, {}, content);
  return isFirst ? { ...call, method: 'PATCH' } : call;
}

function nonceOf(id: string): string {
  return id.replaceAll(/[^0-9A-Za-z]/g, '').slice(-25);
}

function interactionMessage(interaction: Json, type: number | null, nowMs: number): InboundMessage | null {
  const data = interaction.in('data');
  const member = interaction.in('member');
  const user = member.has('user') ? member.in('user') : interaction.in('user');
  const channel = interaction.text('channel_id');
  const text = textOf(data, type);
  if (text === null) return null;
  return inboundMessage({
    eventId: interaction.text('id'),
    conversationId: channel || user.text('id'),
    sender: { id: user.text('id'), name: user.text('global_name') || user.text('username') || null },
    text,
    attachments: attachmentsOf(data),
    replyTo: {
      application: interaction.text('application_id'),
      token: interaction.text('token'),
      channel,
      until: String(nowMs + TOKEN_VALID_MS),
    },
  });
}

function textOf(data: Json, type: number | null): string | null {
  switch (type) {
    case COMMAND: {
      const values = data.list('options').flatMap(valuesOf);
      return values.length > 0 ? values.join(' ') : `/${data.text('name')}`;
    }
    case COMPONENT:
      return data.texts('values').join(' ') || data.text('custom_id');
    case MODAL:
      return data
        .list('components')
        .flatMap((row) => row.list('components').map((input) => input.text('value')))
        .filter((value) => value !== '')
        .join('\n');
    default:
      return null;
  }
}

/** Type of an option whose value is the id of an attachment. */
const ATTACHMENT_OPTION = 11;

/** Values of a command's options, those of its subcommands among them. */
function valuesOf(option: Json): string[] {
  if (option.number('type') === ATTACHMENT_OPTION) return [];
  const value = option.text('value');
  return value === '' ? option.list('options').flatMap(valuesOfLeaf) : [value];
}

/** Subcommands are nested twice at most. */
function valuesOfLeaf(option: Json): string[] {
  const value = option.text('value');
  return value === '' ? option.list('options').map((each) => each.text('value')) : [value];
}

function attachmentsOf(data: Json): Attachment[] {
  const attachments = data.in('resolved').in('attachments');
  const ids = data.list('options').flatMap((option) => [option, ...option.list('options')]);
  return ids.flatMap((option): Attachment[] => {
    if (option.number('type') !== ATTACHMENT_OPTION) return [];
    const found = attachments.in(option.text('value'));
    const url = found.text('url');
    const mimeType = found.text('content_type');
    if (url === '') return [];
    const name = found.text('filename') || null;
    return [{ kind: attachmentKind(mimeType), name, mimeType: mimeType || null, source: { kind: 'public', url } }];
  });
}
