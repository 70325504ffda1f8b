import { isSignedByOneOf } from '../../../shared/webhooks/signatures.ts';
import {
  type Attachment,
  inboundMessage,
  type Quote,
  type ReadMessage,
  type Rename,
  type ReplyTarget,
} from '../inbound-message.ts';
import { described, withoutStretches } from '../text/inbound.ts';
import {
  answerJson,
  apiBase,
  type ChannelAccess,
  contentOf,
  type Json,
  jsonObject,
  jsonPost,
  type Platform,
  Undeliverable,
} from './platform.ts';
import { channelBroken, DELIVERED, platformFault, rateLimited, retryAfterMs, statusOutcome } from './send-outcome.ts';

const API = 'https://api.telegram.org';

export const telegram: Platform = {
  type: 'telegram',
  secrets: { required: ['bot_token', 'secret_token'], optional: [], verifying: ['secret_token'] },
  signature: { header: ['x-telegram-bot-api-secret-token'], secret: 'secrets.secret_token' },
  settings: { required: [], optional: ['api_base_url', 'bot_username'] },
  secretProblem: (name, value) => {
    if (name === 'bot_token' && !/^\d{1,20}:[\w-]{1,100}$/.test(value))
      return 'must be a token of BotFather, such as 123456:ABC-DEF';
    if (name === 'secret_token' && !/^[\w-]{1,256}$/.test(value)) return 'must be 1 to 256 letters, digits, _ and -';
    return null;
  },
  maxReplyLength: 4_096,
  dialect: 'html',

  verify: ({ headers }, access) =>
    isSignedByOneOf(
      access.validSecrets('secret_token'),
      headers['x-telegram-bot-api-secret-token'] ?? '',
      (secret) => secret,
    ),

  read(request, access) {
    const update = jsonObject(request);
    const message = messageIn(update);
    const rename = renameOf(message);
    if (rename !== null) return contentOf([], { renames: [rename] });
    return contentOf([messageOf(update, message, botOf(access))]);
  },

  send({ texts, format, target }, access) {
    return jsonPost(
      `${botBase(access)}/sendMessage`,
      {},
      {
        ...placeIn(target),
        text: texts.join('\n'),
        ...(format && { parse_mode: 'HTML' }),
        link_preview_options: { is_disabled: true },
      },
    );
  },

  signOfLife: ({ replyTo }, access) => ({
    call: jsonPost(`${botBase(access)}/sendChatAction`, {}, { ...placeIn(replyTo), action: 'typing' }),
    lastsMs: 5_000,
  }),

  placeOf: (chat) => ({ chat }),

  outcomeOf(answer) {
    const body = answerJson(answer);
    const detail = body.text('description') || null;
    if (answer.status === 200) return body.isTrue('ok') ? DELIVERED : platformFault('not_ok', null, detail);
    const after = body.in('parameters').number('retry_after');
    if (answer.status === 429)
      return rateLimited(retryAfterMs(after ?? String(answer.headers['retry-after'] ?? '')), 'rate_limited', detail);
    // The address holds the token: there is no such bot.
    if (answer.status === 404) return channelBroken('http_404', detail);
    return statusOutcome(answer, detail);
  },

  movedTo(answer, target) {
    const chat = answerJson(answer).in('parameters').text('migrate_to_chat_id');
    return answer.status === 400 && chat !== '' && chat !== target.chat ? { ...target, chat } : null;
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

function placeIn({ chat = '', thread, business }: ReplyTarget) {
  return {
    chat_id: chat,
    ...(thread && { message_thread_id: Number(thread) }),
    ...(business && { business_connection_id: business }),
  };
}

const botBase = (access: ChannelAccess) => `${apiBase(access, API)}/bot${access.secret('bot_token')}`;

interface Bot {
  readonly id: string;
  /** In lower case; empty where the channel does not name it. */
  readonly username: string;
}

function botOf(access: ChannelAccess): Bot {
  return {
    id: access.secret('bot_token').split(':')[0] ?? '',
    username: (access.settings.bot_username ?? '').replace(/^@/, '').toLowerCase(),
  };
}

const MESSAGES = ['message', 'channel_post', 'business_message'];

function messageIn(update: Json): Json {
  return update.in(MESSAGES.find((name) => update.has(name)) ?? 'message');
}

/** A group that becomes a supergroup gets another id. It says so in both, and only there. */
function renameOf(message: Json): Rename | null {
  const chat = message.in('chat').text('id');
  const [to, from] = [message.text('migrate_to_chat_id'), message.text('migrate_from_chat_id')];
  if (chat === '' || (to === '' && from === '')) return null;
  return to === '' ? { id: chat, former: from } : { id: to, former: chat };
}

function messageOf(update: Json, message: Json, bot: Bot): ReadMessage {
  if (update.has('callback_query')) {
    const query = update.in('callback_query');
    const about = { eventId: `callback:${query.text('id')}`, message: query.in('message'), from: query.in('from') };
    // A button under a message of an inline query is pressed in a chat that the bot does not know.
    return query.has('message')
      ? fromChat({ ...about, text: query.text('data'), attachments: [], isAddressed: true })
      : null;
  }
  if (message.text('message_id') === '') return null;
  // A post of a channel appears in its discussion group as well: it is answered where it was written.
  if (message.isTrue('is_automatic_forward')) return null;
  // Who writes as a group or as a channel has a bot of Telegram's own as their user.
  const from = message.has('sender_chat') ? message.in('sender_chat') : message.in('from');
  if (from.isTrue('is_bot')) return null;
  const { text, isAddressed } = wordsOf(message, bot);
  const [repliedTo, quotes] = [repliedToIn(message), repliesIn(message, bot)];
  const attachments = [...attachmentsOf(message), ...attachmentsOf(repliedTo)];
  const isForwarded = message.has('forward_origin');
  if (text === '' && attachmentsOf(message).length === 0) return null;
  return fromChat({
    eventId: `${message.in('chat').text('id')}:${message.text('message_id')}`,
    message,
    from,
    text: isForwarded ? '' : text,
    quotes: isForwarded ? [{ kind: 'forward', author: authorIn(message.in('forward_origin')), text }] : quotes,
    attachments,
    isAddressed,
  });
}

/** The message replied to: of the same chat, or of another one. */
function repliedToIn(message: Json): Json {
  return message.in(message.has('external_reply') ? 'external_reply' : 'reply_to_message');
}

/** The message replied to, or the passage of it that was chosen. */
function repliesIn(message: Json, bot: Bot): Quote[] {
  const [repliedTo, from] = [repliedToIn(message), message.in('reply_to_message').in('from')];
  const author = from.text('id') === bot.id ? 'you' : nameOf(from) || authorIn(repliedTo.in('origin'));
  const text = message.in('quote').text('text') || wordsOf(repliedTo, bot).text;
  return [{ kind: 'reply', author, text: message.has('reply_to_story') ? described('story') : text }];
}

/** Of a user, one who hides their account, a group or a channel. */
function authorIn(origin: Json): string {
  return (
    nameOf(origin.in('sender_user')) ||
    origin.text('sender_user_name') ||
    nameOf(origin.in('sender_chat')) ||
    nameOf(origin.in('chat'))
  );
}

function nameOf(from: Json): string {
  const name = [from.text('first_name'), from.text('last_name')].filter((part) => part !== '').join(' ');
  return name || from.text('title') || from.text('username');
}

/** The words of a message: other content than text in brackets, then its text. */
function wordsOf(message: Json, bot: Bot): ReturnType<typeof spoken> {
  const { text, isAddressed } = spoken(message, bot);
  return { text: [otherThanText(message) ?? '', text].filter((part) => part !== '').join('\n'), isAddressed };
}

interface ChatMessage {
  readonly eventId: string;
  readonly message: Json;
  readonly from: Json;
  readonly text: string;
  readonly quotes?: readonly Quote[];
  readonly attachments: readonly Attachment[];
  readonly isAddressed: boolean;
}

/** A supergroup may have been a group, whose conversation continues. */
const SUPERGROUP = '-100';

function fromChat({ eventId, message, from, text, quotes = [], attachments, isAddressed }: ChatMessage): ReadMessage {
  const chat = message.in('chat').text('id');
  const thread = message.isTrue('is_topic_message') ? message.text('message_thread_id') : '';
  const business = message.text('business_connection_id');
  const album = message.text('media_group_id');
  const language = from.text('language_code');
  const isDirect = message.in('chat').text('type') === 'private';
  return inboundMessage({
    eventId,
    conversationId: chat === '' || thread === '' ? chat : `${chat}:${thread}`,
    sender: { id: from.text('id'), name: nameOf(from) || null },
    text,
    quotes,
    attachments,
    replyTo: { chat, ...(thread !== '' && { thread }), ...(business !== '' && { business }) },
    place: isDirect ? 'direct' : isAddressed ? 'addressed' : 'overheard',
    ...(album !== '' && { album: { id: `${chat}:${album}`, total: null } }),
    ...(language !== '' && { language }),
    ...(chat.startsWith(SUPERGROUP) && thread === '' && { rename: { id: chat, former: null } }),
  });
}

/** The text or caption without mentions of the bot, with the addresses of its links; and whether the bot is meant. */
function spoken(message: Json, bot: Bot): { readonly text: string; readonly isAddressed: boolean } {
  const isCaption = message.text('text') === '';
  const text = message.text(isCaption ? 'caption' : 'text');
  let isAddressed = message.in('reply_to_message').in('from').text('id') === bot.id;
  const stretches: { offset: number; length: number; instead?: string }[] = [];
  for (const entity of message.list(isCaption ? 'caption_entities' : 'entities')) {
    const [offset, length] = [entity.number('offset') ?? 0, entity.number('length') ?? 0];
    const part = text.slice(offset, offset + length);
    switch (entity.text('type')) {
      case 'mention':
        if (!isBotName(part, bot)) break;
        isAddressed = true;
        stretches.push({ offset, length });
        break;
      case 'text_mention':
        if (entity.in('user').text('id') !== bot.id) break;
        isAddressed = true;
        stretches.push({ offset, length });
        break;
      case 'bot_command': {
        const at = part.indexOf('@');
        if (at >= 0 && !isBotName(part.slice(at), bot)) break;
        isAddressed = true;
        if (at >= 0) stretches.push({ offset: offset + at, length: length - at });
        break;
      }
      case 'text_link':
        stretches.push({ offset, length, instead: `${part} (${entity.text('url')})` });
        break;
    }
  }
  return { text: stretches.length === 0 ? text : withoutStretches(text, stretches), isAddressed };
}

/** Names of bots end in "bot". Where the channel does not name its own, any of them is taken for it. */
function isBotName(mention: string, { username }: Bot): boolean {
  const name = mention.replace(/^@/, '').toLowerCase();
  return username === '' ? name.endsWith('bot') : name === username;
}

/** A short text for content that is neither text nor a readable file; null without such content. */
function otherThanText(message: Json): string | null {
  if (message.has('sticker')) return described('sticker', message.in('sticker').text('emoji'));
  if (message.has('venue')) {
    const venue = message.in('venue');
    return described('location', venue.text('title'), venue.text('address'), ...coordinates(venue.in('location')));
  }
  if (message.has('location')) return described('location', ...coordinates(message.in('location')));
  if (message.has('contact')) {
    const contact = message.in('contact');
    const name = [contact.text('first_name'), contact.text('last_name')].filter((part) => part !== '').join(' ');
    return described('contact', name, contact.text('phone_number'));
  }
  if (message.has('poll')) {
    const poll = message.in('poll');
    return described('poll', poll.text('question'), ...poll.list('options').map((option) => option.text('text')));
  }
  if (message.has('checklist')) {
    const list = message.in('checklist');
    return described('checklist', list.text('title'), ...list.list('tasks').map((task) => task.text('text')));
  }
  if (message.has('game')) return described('game', message.in('game').text('title'));
  if (message.has('paid_media')) {
    const media = message.in('paid_media').list('paid_media');
    return described('paid media', ...media.map((each) => each.text('type')));
  }
  if (message.has('dice')) return described('dice', message.in('dice').text('value'));
  if (message.has('web_app_data')) return message.in('web_app_data').text('data');
  for (const kind of ['video', 'video_note', 'animation', 'story'])
    if (message.has(kind)) return described(kind.replace('_', ' '), message.in(kind).text('file_name'));
  return null;
}

const coordinates = (location: Json) => [location.text('latitude'), location.text('longitude')];

function attachmentsOf(message: Json): Attachment[] {
  const found: Attachment[] = [];
  const add = (kind: Attachment['kind'], file: Json, mimeType: string) => {
    const id = file.text('file_id');
    if (id !== '') found.push({ kind, name: file.text('file_name') || null, mimeType, source: { kind: 'id', id } });
  };
  // Sizes of one photo, the largest last.
  const photo = message.list('photo').at(-1);
  if (photo !== undefined) add('image', photo, 'image/jpeg');
  // An animation is sent as a document as well.
  const document = message.has('animation') ? message.in('none') : message.in('document');
  const type = document.text('mime_type') || 'application/octet-stream';
  add(type.startsWith('image/') ? 'image' : 'file', document, type);
  add('audio', message.in('voice'), message.in('voice').text('mime_type') || 'audio/ogg');
  add('audio', message.in('audio'), message.in('audio').text('mime_type') || 'audio/mpeg');
  return found;
}
