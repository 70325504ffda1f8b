import { boundedJson } from '../../../shared/bounded-json.ts';
import { withoutTrailingSlashes } from '../../../shared/without-trailing-slashes.ts';
import type { ChannelSettings, ChannelType, SettingName } from '../channel.ts';
import type { Attachment, InboundMessage, ReadMessage, Rename, ReplyTarget, Skipped } from '../inbound-message.ts';
import type { DialectName } from '../text/dialects.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { SendOutcome } from './send-outcome.ts';

/** A webhook as it came. */
export interface WebhookRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Partial<Record<string, string>>>;
  readonly query: Readonly<Partial<Record<string, string>>>;
  /** The very bytes, which signatures are made over. */
  readonly body: Buffer;
  readonly nowMs: number;
}

/** A channel as its adapter sees it: settings, and secrets in the clear. */
export interface ChannelAccess {
  readonly settings: ChannelSettings;
  /** The current value of a secret; empty if the channel has no secret of this name. */
  secret(name: string): string;
  /** Every value that is valid now: the current one, and during a rotation the one before. */
  validSecrets(name: string): readonly string[];
}

/** An answer to the platform that called. */
export interface WebhookReply {
  readonly status: number;
  /** Sent as JSON. */
  readonly body?: object;
  readonly text?: string;
}

export interface WebhookContent {
  readonly messages: readonly InboundMessage[];
  readonly skipped: readonly Skipped['skipped'][];
  /** Conversations that continue under another id. */
  readonly renames: readonly Rename[];
  /** Replies that the platform accepted before and could not deliver. */
  readonly failures: readonly LateFailure[];
  readonly reply: WebhookReply;
}

/** A failure that a platform reports after it has accepted a reply. */
export interface LateFailure {
  /** Of the part, as it was sent with it. */
  readonly partId: string;
  readonly code: string;
  readonly detail: string | null;
  /** The fault is the account's, and meets every reply. */
  readonly isChannelBroken: boolean;
}

/** One part of a reply, as it is sent. */
export interface ReplyPart {
  /** Stays the same at every attempt: platforms that can use it to drop a part that they have. */
  readonly id: string;
  /** One, or as many as the platform takes in one call. */
  readonly texts: readonly string[];
  readonly format?: 'html';
  readonly target: ReplyTarget;
  readonly channelId: string;
  readonly conversationId: string;
  /** Its place in the reply: 1 for the first part. */
  readonly index: number;
  /** Parts of the reply; absent where that was not recorded. */
  readonly parts?: number;
  /** The attempt before this one; null for the first. */
  readonly previous: PreviousAttempt | null;
}

export interface PreviousAttempt {
  /** As the outcome had it; empty where the attempt ended without one, because its worker died. */
  readonly code: string;
  /** Whether the platform took the part is not known: there was no answer, or it was lost. */
  readonly isUnknown: boolean;
}

/** The part of a message that an answer is being made to. */
export type Answering = Pick<InboundMessage, 'eventId' | 'place' | 'replyTo'>;

export interface SignOfLife {
  readonly call: HttpCall;
  /** The platform shows it for so long. */
  readonly lastsMs: number;
}

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Credentials that a platform issues for a time. */
export interface PlatformTokens {
  /** Bearer token of the Bot Framework for this channel. */
  teams(channelId: string, access: ChannelAccess): Promise<string>;
  /** Throws away a token that was refused before its time. */
  forget(channelId: string, access: ChannelAccess): void;
}

export interface TokenVerifier {
  /** Whether the Bot Framework issued the token for this app and this service address. */
  isValid(
    token: string,
    wanted: {
      readonly appId: string;
      readonly serviceUrl: string;
      readonly apiBaseUrl: string | null;
      /** Of the activity, which the key of the token must be endorsed for: `msteams`. */
      readonly channelId: string;
    },
  ): Promise<boolean>;
}

/** Everything that differs from platform to platform; pure but for the ports that are passed in. */
export interface Platform {
  readonly type: ChannelType;
  readonly secrets: {
    readonly required: readonly string[];
    readonly optional: readonly string[];
    /** Secrets that webhooks are verified with: a rotated one stays valid for a while. */
    readonly verifying: readonly string[];
  };
  /** Headers that prove where a webhook comes from, any of them, and the member of the channel that it is compared with. */
  readonly signature: {
    readonly header: readonly string[];
    readonly timestamp?: readonly string[];
    readonly secret: string;
  };
  readonly settings: { readonly required: readonly SettingName[]; readonly optional: readonly SettingName[] };
  /** The fault of a setting, as the end of a sentence; null if it may be used. */
  settingProblem?(name: SettingName, value: string): string | null;
  /** The fault of a secret, as the end of a sentence; null if it may be used. */
  secretProblem?(name: string, value: string): string | null;
  /** UTF-16 units of one message. */
  readonly maxReplyLength: number;
  /** Messages that one call delivers; 1 by default. */
  readonly maxTextsPerCall?: number;
  /** A part that is sent again is recognised by its id, and shown once. */
  readonly dropsRepeats?: true;
  /** The platform shows a resent part twice; recording the start of each attempt lets the next attempt skip it. */
  readonly recordsAttempts?: true;
  /** The platform accepts replies first and may report later that it could not deliver them. */
  readonly reportsFailuresLater?: true;
  /** Where one address of webhooks serves several channels: the setting that tells them apart, and its values in a webhook. */
  readonly addressees?: {
    readonly setting: Exclude<SettingName, 'max_length'>;
    of(request: WebhookRequest): readonly string[];
  };
  /** How it writes what Markdown says. */
  readonly dialect: DialectName;
  verify(request: WebhookRequest, access: ChannelAccess, tokens: TokenVerifier): boolean | Promise<boolean>;
  /** The response to a verification handshake by a signed GET; null for any other GET. */
  challenge?(request: WebhookRequest, access: ChannelAccess): string | null;
  /** @throws MalformedWebhook */
  read(request: WebhookRequest, access: ChannelAccess): WebhookContent;
  /** @throws Undeliverable */
  send(part: ReplyPart, access: ChannelAccess, nowMs: number, tokens: PlatformTokens): HttpCall | Promise<HttpCall>;
  /** A call that shows the sender that an answer is being made; null where the platform shows it by itself, or not here. */
  signOfLife?(
    message: Answering,
    access: ChannelAccess,
    channelId: string,
    tokens: PlatformTokens,
  ): SignOfLife | null | Promise<SignOfLife | null>;
  /** A conversation by the id that people can look up on the platform, as the target of a message that answers none. */
  placeOf(id: string, channel: Pick<ChannelAccess, 'settings'>): ReplyTarget;
  outcomeOf(answer: HttpAnswer, part: ReplyPart): SendOutcome;
  /** Where the answer says that the conversation has moved, its new place. */
  movedTo?(answer: HttpAnswer, target: ReplyTarget): ReplyTarget | null;
  /** The calls that lead to an attachment's contents: the next one is made with the answer of the one before. */
  attachment(
    attachment: Attachment,
    access: ChannelAccess,
    channelId: string,
    tokens: PlatformTokens,
  ): HttpCall | Promise<HttpCall>;
  /** Why contents of another type than the platform announced are not the attachment; null where they may be it. */
  attachmentProblem?(attachment: Attachment, answeredType: string): string | null;
  /** Where the answer to `attachment` names another address, the call to that. */
  attachmentContents?(answer: HttpAnswer, access: ChannelAccess): HttpCall | null;
}

/** A webhook whose signature is right and whose body is not what the platform sends. */
export class MalformedWebhook extends Error {
  override name = 'MalformedWebhook';
}

/** A reply that can never be sent. */
export class Undeliverable extends Error {
  override name = 'Undeliverable';
  readonly code: string;

  constructor(code: string) {
    super(`The reply cannot be delivered: ${code}.`);
    this.code = code;
  }
}

/** The content of a webhook. */
export function contentOf(
  read: readonly ReadMessage[],
  more: Partial<Omit<WebhookContent, 'messages' | 'skipped'>> = {},
): WebhookContent {
  const found = read.filter((each) => each !== null);
  return {
    messages: found.filter((each): each is InboundMessage => !('skipped' in each)),
    skipped: found.flatMap((each) => ('skipped' in each ? [each.skipped] : [])),
    renames: [],
    failures: [],
    reply: ACKNOWLEDGED,
    ...more,
  };
}

/** Answers 200 without a body, which every platform takes for an acknowledgement. */
export const ACKNOWLEDGED: WebhookReply = { status: 200 };

/** The JSON object of a body. @throws MalformedWebhook */
export function jsonObject({ body }: Pick<WebhookRequest, 'body'>): Json {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new MalformedWebhook('The body is not valid UTF-8.');
  }
  let value: unknown;
  try {
    value = boundedJson(text);
  } catch {
    throw new MalformedWebhook('The body is not JSON.');
  }
  if (!isObject(value)) throw new MalformedWebhook('The body is not a JSON object.');
  return new Json(value);
}

/** Reads members of foreign JSON without trusting its shape. */
export class Json {
  readonly #value: Readonly<Record<string, unknown>>;

  constructor(value: unknown) {
    this.#value = isObject(value) ? value : {};
  }

  /** The text of a member, or its number as text; empty if missing. */
  text(name: string): string {
    const value = this.#own(name);
    if (typeof value === 'string') return value;
    return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
  }

  number(name: string): number | null {
    const value = this.#own(name);
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  }

  /** The value of a boolean member; null for any other type. */
  flag(name: string): boolean | null {
    const value = this.#own(name);
    return typeof value === 'boolean' ? value : null;
  }

  isTrue(name: string): boolean {
    return this.#own(name) === true;
  }

  has(name: string): boolean {
    return isObject(this.#own(name));
  }

  in(name: string): Json {
    return new Json(this.#own(name));
  }

  list(name: string): readonly Json[] {
    const value = this.#own(name);
    return Array.isArray(value) ? value.map((each) => new Json(each)) : [];
  }

  /** The members of an object as they are. */
  fields(name: string): Readonly<Record<string, unknown>> {
    const value = this.#own(name);
    return isObject(value) ? value : {};
  }

  texts(name: string): readonly string[] {
    const value = this.#own(name);
    return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
  }

  #own(name: string): unknown {
    return Object.hasOwn(this.#value, name) ? this.#value[name] : undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON object of an answer; an empty one where it is something else. */
export function answerJson({ text }: HttpAnswer): Json {
  try {
    return new Json(boundedJson(text));
  } catch {
    return new Json(null);
  }
}

/** The address of the platform's API, or of another one that the channel names, without a slash at its end. */
export function apiBase({ settings }: Pick<ChannelAccess, 'settings'>, standard: string): string {
  return withoutTrailingSlashes(settings.api_base_url ?? standard);
}

/** Whether an address that a webhook brought is of the platform's own API, or of the address that stands in for it. */
export function isOfApi(address: string, { settings }: Pick<ChannelAccess, 'settings'>, isStandard: RegExp): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  const own = settings.api_base_url;
  return own === undefined
    ? url.protocol === 'https:' && url.port === '' && isStandard.test(url.hostname)
    : url.origin === URL.parse(own)?.origin;
}

export const jsonPost = (url: string, headers: Readonly<Record<string, string>>, body: object): HttpCall => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
});

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The address of an attachment that needs no API. @throws Undeliverable */
export function addressOf({ source }: Attachment): string {
  if (source.kind === 'id') throw new Undeliverable('attachment_without_address');
  return source.url;
}

export function attachmentKind(mimeType: string): Attachment['kind'] {
  return mimeType.startsWith('image/') ? 'image' : mimeType.startsWith('audio/') ? 'audio' : 'file';
}
