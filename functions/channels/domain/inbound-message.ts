/** A message from any platform, in the one form that applications answer. */
export interface InboundMessage {
  /** The platform's id of the event: an event that is sent again has it again. */
  readonly eventId: string;
  /** Chat, thread or group. Messages of one conversation are answered one after another. */
  readonly conversationId: string;
  readonly sender: { readonly id: string; readonly name: string | null };
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly replyTo: ReplyTarget;
}

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

export const MAX_ATTACHMENTS = 5;
/** Longest text of a message: longer ones are cut, as every platform does well before. */
export const MAX_TEXT_LENGTH = 40_000;
const MAX_ID_LENGTH = 200;

/** @returns null for a message that has neither a text nor an attachment, or no usable ids. */
export function inboundMessage(message: InboundMessage): InboundMessage | null {
  const { eventId, conversationId, sender, attachments } = message;
  const ids = [eventId, conversationId, sender.id];
  if (ids.some((id) => id === '' || id.length > MAX_ID_LENGTH)) return null;
  const text = message.text.toWellFormed().slice(0, MAX_TEXT_LENGTH).toWellFormed().trim();
  if (text === '' && attachments.length === 0) return null;
  return { ...message, text, attachments: attachments.slice(0, MAX_ATTACHMENTS) };
}
