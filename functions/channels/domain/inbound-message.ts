/** A message from any platform, in the one form that applications answer. */
export interface InboundMessage {
  /**
   * The platform's id of the message, unique in the channel: a message that is sent again, or reported by a second event, has
   * it again.
   */
  readonly eventId: string;
  /** Chat, thread or group. Messages of one conversation are answered one after another. */
  readonly conversationId: string;
  readonly sender: { readonly id: string; readonly name: string | null };
  /** Where the conversation or its sender may be known by an earlier id. */
  readonly rename?: Rename;
  /** direct: between two; in a group it is addressed to the bot (a mention, a reply to it, a command), or overheard. */
  readonly place: 'direct' | 'addressed' | 'overheard';
  /** Of a thread that continues without mentions once the bot was addressed in it. */
  readonly isInThread?: true;
  /** Messages of one album are one question; null: how many there are is not known. */
  readonly album?: { readonly id: string; readonly total: number | null };
  /** Of the sender, as the platform has it: `ko`, `en-US`; absent where it does not say. */
  readonly language?: string;
  readonly text: string;
  /** The messages that it is about. */
  readonly quotes?: readonly Quote[];
  /** Its own, then those of the messages that it is about. */
  readonly attachments: readonly Attachment[];
  readonly replyTo: ReplyTarget;
}

/** Words that are not the sender's own: of a message replied to, forwarded, or shown within the message. */
export interface Quote {
  readonly kind: 'reply' | 'forward' | 'embed';
  /** `you` for the bot itself; empty where the platform does not name the author. */
  readonly author: string;
  readonly text: string;
}

/** An id of a conversation or of a person that takes the place of an earlier one. */
export interface Rename {
  readonly id: string;
  /** Null where the message does not name it. */
  readonly former: string | null;
}

/** A message that is not answered, though someone may expect an answer: the reason goes to the log. */
export interface Skipped {
  /** A short stable word. */
  readonly skipped: 'no_ids' | 'empty' | 'unsupported' | 'other_tenant';
}

/** A message as it was read; null where nothing is to be answered: an edit, a receipt, the bot's own message. */
export type ReadMessage = InboundMessage | Skipped | null;

/** Where a reply goes, in the terms of the platform: ids of chats, threads and reply tokens. */
export type ReplyTarget = Readonly<Record<string, string>>;

export interface Attachment {
  readonly kind: 'image' | 'audio' | 'file';
  readonly name: string | null;
  readonly mimeType: string | null;
  readonly source: AttachmentSource;
}

export type AttachmentSource =
  /** An address that anyone may read. */
  | { readonly kind: 'public'; readonly url: string }
  /** An address that needs the channel's credentials. */
  | { readonly kind: 'authorized'; readonly url: string }
  /** An id that the platform's API gives the contents of. */
  | { readonly kind: 'id'; readonly id: string };

/** As many as an album has. */
export const MAX_ATTACHMENTS = 10;
/** Longest text of a message: longer ones are cut, as every platform does well before. */
export const MAX_TEXT_LENGTH = 40_000;
/** Conversations of Teams have ids of more than a hundred characters; ids of messages contain those of their conversation. */
const MAX_ID_LENGTH = 500;
const MAX_QUOTES = 5;
const MAX_QUOTE_LENGTH = 2_000;
const MAX_AUTHOR_LENGTH = 100;
const MAX_EVENT_ID_LENGTH = 1_200;

/** Checks and trims a message: what has no usable ids, or no text, quote or attachment, is skipped. */
export function inboundMessage({ quotes: given = [], ...message }: InboundMessage): InboundMessage | Skipped {
  const { eventId, conversationId, sender, attachments } = message;
  const isUsable = (id: string, maxLength: number) => id !== '' && id.length <= maxLength;
  if (![conversationId, sender.id].every((id) => isUsable(id, MAX_ID_LENGTH))) return { skipped: 'no_ids' };
  if (!isUsable(eventId, MAX_EVENT_ID_LENGTH)) return { skipped: 'no_ids' };
  const text = cut(message.text, MAX_TEXT_LENGTH);
  const quotes = given.map(boundedQuote).filter((quote) => quote.text !== '');
  if (text === '' && quotes.length === 0 && attachments.length === 0) return { skipped: 'empty' };
  return {
    ...message,
    text,
    attachments: attachments.slice(0, MAX_ATTACHMENTS),
    ...(quotes.length > 0 && { quotes: quotes.slice(0, MAX_QUOTES) }),
  };
}

function boundedQuote({ kind, author, text }: Quote): Quote {
  return { kind, author: cut(author, MAX_AUTHOR_LENGTH), text: cut(text, MAX_QUOTE_LENGTH) };
}

function cut(text: string, maxLength: number): string {
  return text.toWellFormed().slice(0, maxLength).toWellFormed().trim();
}
