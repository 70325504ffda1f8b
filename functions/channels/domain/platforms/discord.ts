import { isEd25519Key, isEd25519Signature, isTimely } from '../../../shared/webhooks/signatures.ts';
import { type Attachment, inboundMessage, type Quote, type ReadMessage } from '../inbound-message.ts';
import {
  addressOf,
  answerJson,
  apiBase,
  attachmentKind,
  contentOf,
  type HttpCall,
  type Json,
  jsonObject,
  jsonPost,
  type Platform,
  Undeliverable,
} from './platform.ts';
import { rateLimited, retryAfterMs, statusOutcome, tryAgain } from './send-outcome.ts';

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

/** "Thinking…" is for what will be answered; where there is nothing to answer, it is said at once, to the person alone. */
const EPHEMERAL = 64;
const nothingToAnswer = (content: string) => ({ type: 4, data: { content, flags: EPHEMERAL } });
const NOTHING: Readonly<Record<'ko' | 'en', string>> = {
  ko: '답변할 내용이 없습니다. 질문을 적어 주세요.',
  en: 'There is nothing to answer here. Please write a question.',
};

/** Codes of Discord for an interaction whose token is no longer good. */
const TOKEN_ENDED = [10_015, 50_027];

export const discord: Platform = {
  type: 'discord',
  secrets: { required: ['public_key'], optional: ['bot_token'], verifying: ['public_key'] },
  signature: {
    header: ['x-signature-ed25519'],
    timestamp: ['x-signature-timestamp'],
    secret: 'secrets.public_key',
  },
  settings: { required: [], optional: ['api_base_url'] },
  secretProblem: (name, value) =>
    name === 'public_key' && !isEd25519Key(value)
      ? 'must be the 64 hexadecimal digits of the application’s public key'
      : null,
  maxReplyLength: 2_000,
  dialect: 'markdown',
  dropsRepeats: true,

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
    if (type === PING) return contentOf([], { reply: { status: 200, body: PONG } });
    if (type === AUTOCOMPLETE) return contentOf([], { reply: { status: 200, body: NO_CHOICES } });
    const message = interactionMessage(interaction, type, request.nowMs);
    const isAnswered = message !== null && !('skipped' in message);
    const language = interaction.text('locale').startsWith('ko') ? 'ko' : 'en';
    const body = isAnswered ? DEFERRED : nothingToAnswer(NOTHING[language]);
    return contentOf([message], { reply: { status: 200, body } });
  },

  send({ id, texts, target, index, previous }, access, nowMs) {
    const { application = '', token = '', channel = '', until = '0' } = target;
    const base = apiBase(access, API);
    const content = { content: texts.join('\n'), allowed_mentions: { parse: [] } };
    if (token !== '' && nowMs < Number(until) && previous?.code !== 'interaction_expired')
      return followUp(`${base}/webhooks/${pathPart(application)}/${pathPart(token)}`, content, index === 1);
    const bot = access.secret('bot_token');
    if (bot === '' || channel === '') throw new Undeliverable(token === '' ? 'no_bot_token' : 'interaction_expired');
    // With enforce_nonce Discord drops a message that it has; it takes 25 characters.
    return jsonPost(
      `${base}/channels/${pathPart(channel)}/messages`,
      { authorization: `Bot ${bot}` },
      { ...content, nonce: nonceOf(id), enforce_nonce: true },
    );
  },

  placeOf: (channel) => ({ channel }),

  outcomeOf(answer) {
    const body = answerJson(answer);
    const detail = body.text('message') || null;
    const code = body.number('code');
    if (answer.status === 429) {
      const after = body.number('retry_after');
      return rateLimited(retryAfterMs(after ?? String(answer.headers['retry-after'] ?? '')), 'rate_limited', detail);
    }
    if (code !== null && TOKEN_ENDED.includes(code)) return tryAgain('interaction_expired', detail);
    return statusOutcome(answer, detail);
  },

  attachment: (attachment) => ({ method: 'GET', url: addressOf(attachment), headers: {} }),
};

/** The first part takes the place of "thinking…", which is the same however often it is done. */
function followUp(url: string, content: object, isFirst: boolean): HttpCall {
  const call = jsonPost(isFirst ? `${url}/messages/@original` : url, {}, content);
  return isFirst ? { ...call, method: 'PATCH' } : call;
}

/** A webhook's own ids and tokens are texts of the tenant: none may lead to another path. @throws Undeliverable */
function pathPart(text: string): string {
  if (text === '' || /^\.+$/.test(text)) throw new Undeliverable('wrong_id');
  return encodeURIComponent(text);
}

function nonceOf(id: string): string {
  return id.replaceAll(/[^0-9A-Za-z]/g, '').slice(-25);
}

function interactionMessage(interaction: Json, type: number | null, nowMs: number): ReadMessage {
  const data = interaction.in('data');
  const member = interaction.in('member');
  const user = member.has('user') ? member.in('user') : interaction.in('user');
  const channel = interaction.text('channel_id') || interaction.in('channel').text('id');
  const locale = interaction.text('locale');
  return inboundMessage({
    eventId: interaction.text('id'),
    conversationId: channel || user.text('id'),
    sender: { id: user.text('id'), name: user.text('global_name') || user.text('username') || null },
    text: textOf(interaction, data, type),
    quotes: quotesOf(targetOf(data)),
    attachments: attachmentsOf(data),
    replyTo: {
      application: interaction.text('application_id'),
      token: interaction.text('token'),
      channel,
      until: String(nowMs + TOKEN_VALID_MS),
    },
    // A person gives a command to the bot, or uses what the bot has shown.
    place: member.has('user') || interaction.text('guild_id') !== '' ? 'addressed' : 'direct',
    ...(locale !== '' && { language: locale }),
  });
}

function textOf(interaction: Json, data: Json, type: number | null): string {
  switch (type) {
    case COMMAND:
      return commandText(data);
    case COMPONENT: {
      const id = data.text('custom_id');
      const shown = interaction.in('message').list('components').flatMap(descendants);
      const element = shown.find((each) => each.text('custom_id') === id);
      const values = data.texts('values');
      const options = element?.list('options') ?? [];
      const labels = values.map(
        (value) => options.find((option) => option.text('value') === value)?.text('label') || nameOf(data, value),
      );
      return labels.join(', ') || element?.text('label') || id;
    }
    case MODAL:
      return data
        .list('components')
        .flatMap(descendants)
        .flatMap((input) => (input.number('type') === FILE_UPLOAD ? [] : inputValues(input, data)))
        .filter((value) => value !== '')
        .join('\n');
    default:
      return '';
  }
}

/** Types of components whose values are ids of attachments, or a flag. */
const FILE_UPLOAD = 19;
const CHECKBOX = 23;

function inputValues(input: Json, data: Json): string[] {
  if (input.number('type') === CHECKBOX) return [`${input.text('custom_id')}: ${input.isTrue('value') ? 'yes' : 'no'}`];
  return [input.text('value'), ...input.texts('values').map((value) => nameOf(data, value))];
}

/** Levels of components within each other: rows, sections, labels and what they hold. */
const MAX_DEPTH = 4;

/** A component and all within it: rows have `components`, labels one `component`, sections an `accessory`. */
function allWithin(component: Json, depth = 0): Json[] {
  if (depth === MAX_DEPTH) return [component];
  const inner = [
    ...component.list('components'),
    ...['component', 'accessory'].flatMap((name) => (component.has(name) ? [component.in(name)] : [])),
  ];
  return [component, ...inner.flatMap((each) => allWithin(each, depth + 1))];
}

const descendants = (component: Json) => allWithin(component);

/** Types of commands. */
const USER_COMMAND = 2;
const MESSAGE_COMMAND = 3;
/** Type of an option whose value is the id of an attachment. */
const ATTACHMENT_OPTION = 11;

function commandText(data: Json): string {
  const target = data.text('target_id');
  const name = data.text('name');
  if (data.number('type') === MESSAGE_COMMAND) return targetOf(data).text('content') || name;
  if (data.number('type') === USER_COMMAND) return `${name} ${nameOf(data, target)}`;
  const options = optionsOf(data);
  const given = options.flatMap((option) => {
    const value = optionValue(option, data);
    return option.number('type') === ATTACHMENT_OPTION || value === '' ? [] : [{ name: option.text('name'), value }];
  });
  if (given.length === 0) return `/${name}${subcommands(data)}`;
  return given.length === 1 ? given[0]!.value : given.map((each) => `${each.name}: ${each.value}`).join('\n');
}

/** The message that a command is about. */
const targetOf = (data: Json) => data.in('resolved').in('messages').in(data.text('target_id'));

/** The messages and pages that such a message replies to, forwards or shows. */
function quotesOf(message: Json): Quote[] {
  const repliedTo = message.in('referenced_message');
  const author = repliedTo.in('author');
  const forwarded = message.list('message_snapshots').map((snapshot) => snapshot.in('message'));
  return [
    { kind: 'reply', author: author.text('global_name') || author.text('username'), text: repliedTo.text('content') },
    ...forwarded.map((each): Quote => ({ kind: 'forward', author: '', text: each.text('content') })),
    ...[message, ...forwarded].flatMap((each) => each.list('embeds')).map(embedQuote),
  ];
}

function embedQuote(embed: Json): Quote {
  const fields = embed.list('fields').map((field) => `${field.text('name')}: ${field.text('value')}`);
  const said = [embed.text('title'), embed.text('description'), ...fields, embed.text('url')];
  return {
    kind: 'embed',
    author: embed.in('author').text('name') || embed.in('provider').text('name'),
    text: said.filter((text) => text !== '').join('\n'),
  };
}

/** The options that have values: those of a command, or of its subcommand, which are nested twice at most. */
function optionsOf(data: Json): Json[] {
  const nested = (option: Json) => (option.list('options').length > 0 ? option.list('options') : [option]);
  return data.list('options').flatMap(nested).flatMap(nested);
}

const SUBCOMMANDS = [1, 2];

function subcommands(command: Json): string {
  const [sub] = command.list('options').filter((option) => SUBCOMMANDS.includes(option.number('type') ?? 0));
  return sub === undefined ? '' : ` ${sub.text('name')}${subcommands(sub)}`;
}

/** Types of options whose values are ids. */
const USER_OPTION = 6;
const MENTIONABLE_OPTION = 9;

function optionValue(option: Json, data: Json): string {
  const value = option.text('value') || (option.flag('value') === null ? '' : String(option.flag('value')));
  const type = option.number('type') ?? 0;
  return type >= USER_OPTION && type <= MENTIONABLE_OPTION ? nameOf(data, value) : value;
}

/** The name that Discord sends along with the id of a user, role or channel; without a name, the id itself. */
function nameOf(data: Json, id: string): string {
  const resolved = data.in('resolved');
  const user = resolved.in('users').in(id);
  const userName = user.text('global_name') || user.text('username') || resolved.in('roles').in(id).text('name');
  if (userName !== '') return `@${userName}`;
  const channel = resolved.in('channels').in(id).text('name');
  return channel === '' ? id : `#${channel}`;
}

/** Files of a command's options, of a form, or of the message that a command is about. */
function attachmentsOf(data: Json): Attachment[] {
  const attachments = data.in('resolved').in('attachments');
  const ids = [
    ...optionsOf(data).flatMap((option) => (option.number('type') === ATTACHMENT_OPTION ? [option.text('value')] : [])),
    ...data
      .list('components')
      .flatMap(descendants)
      .flatMap((input) => input.texts('values')),
  ];
  const target = targetOf(data);
  const messages = [target, ...target.list('message_snapshots').map((snapshot) => snapshot.in('message'))];
  const files = messages.flatMap((message) => message.list('attachments'));
  return [...ids.map((id) => attachments.in(id)), ...files].flatMap((found): Attachment[] => {
    const url = found.text('url');
    const mimeType = found.text('content_type');
    if (url === '') return [];
    const name = found.text('filename') || null;
    return [{ kind: attachmentKind(mimeType), name, mimeType: mimeType || null, source: { kind: 'public', url } }];
  });
}
