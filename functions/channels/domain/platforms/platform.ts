import { withoutTrailingSlashes } from '../../../shared/without-trailing-slashes.ts';
import type { ChannelSettings, ChannelType, SettingName } from '../channel.ts';
import type { Attachment, InboundMessage, ReplyTarget } from '../inbound-message.ts';

/** A webhook as it came. */
export interface WebhookRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Partial<Record<string, string>>>;
  readonly query: Readonly<Partial<Record<string, string>>>;
  /** The very bytes, which signatures are made over. */
  readonly body: Buffer;
  readonly nowMs: number;
}

/** What a channel's adapter knows of the channel: its settings, and its secrets in the clear. */
export interface ChannelAccess {
  readonly settings: ChannelSettings;
  /** The current value of a secret; empty where the channel has none of this name. */
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
  readonly reply: WebhookReply;
}

/** One part of a reply, as it is sent. */
export interface ReplyPart {
  /** Stays the same at every attempt: platforms that can use it to drop a part that they have. */
  readonly id: string;
  readonly text: string;
  readonly target: ReplyTarget;
  readonly channelId: string;
  readonly conversationId: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** True for the first part of a reply that has not been tried by replay. */
  readonly isFirst: boolean;
}

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export type SendOutcome =
  | { readonly kind: 'delivered' }
  | SendFailure
  /** The receiver wants no more messages: the channel is disabled. */
  | { readonly kind: 'gone'; readonly code: string };

export interface SendFailure {
  readonly kind: 'failed';
  /** A short stable word, such as `http_500`, `timeout` or the platform's own code. */
  readonly code: string;
  /** Trying again may help. */
  readonly isPassing: boolean;
  /** A fault of the platform, which its circuit breaker counts; not one of the channel's own configuration. */
  readonly isPlatformFault: boolean;
  /** What the platform asks for. */
  readonly retryAfterMs: number | null;
}

/** Credentials that a platform issues for a time. */
export interface PlatformTokens {
  /** Bearer token of the Bot Framework for this channel. */
  teams(channelId: string, access: ChannelAccess): Promise<string>;
}

export interface TokenVerifier {
  /** Whether the Bot Framework issued the token for this app and this service address. */
  isValid(
    token: string,
    wanted: { readonly appId: string; readonly serviceUrl: string; readonly apiBaseUrl: string | null },
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
  readonly settings: { readonly required: readonly SettingName[]; readonly optional: readonly SettingName[] };
  /** What is wrong with a secret, as the end of a sentence; null when it may be used. */
  secretProblem?(name: string, value: string): string | null;
  /** UTF-16 units of one message. */
  readonly maxReplyLength: number;
  /** A text in Markdown, in the way of the platform. */
  format(markdown: string): string;
  verify(request: WebhookRequest, access: ChannelAccess, tokens: TokenVerifier): boolean | Promise<boolean>;
  /** The handshake that a verified GET asks for; null where there is none. */
  challenge?(request: WebhookRequest, access: ChannelAccess): string | null;
  /** @throws MalformedWebhook */
  read(request: WebhookRequest, access: ChannelAccess): WebhookContent;
  /** @throws Undeliverable */
  send(part: ReplyPart, access: ChannelAccess, nowMs: number, tokens: PlatformTokens): HttpCall | Promise<HttpCall>;
  outcomeOf(answer: HttpAnswer): SendOutcome;
  /** The calls that lead to an attachment's contents: the next one is made with the answer of the one before. */
  attachment(
    attachment: Attachment,
    access: ChannelAccess,
    channelId: string,
    tokens: PlatformTokens,
  ): HttpCall | Promise<HttpCall>;
  /** Where the answer to `attachment` names another address, the call to that. */
  attachmentContents?(answer: HttpAnswer, access: ChannelAccess): HttpCall | null;
}

/** A webhook whose signature is right and whose body is not what the platform sends. */
export class MalformedWebhook extends Error {
  override name = 'MalformedWebhook';
}

/** A reply that cannot be sent at all. */
export class Undeliverable extends Error {
  override name = 'Undeliverable';
  readonly code: string;

  constructor(code: string) {
    super(`The reply cannot be delivered: ${code}.`);
    this.code = code;
  }
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
    value = JSON.parse(text);
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

  /** The text of a member, also of a number; empty where there is none. */
  text(name: string): string {
    const value = this.#own(name);
    if (typeof value === 'string') return value;
    return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
  }

  number(name: string): number | null {
    const value = this.#own(name);
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
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
    return new Json(JSON.parse(text));
  } catch {
    return new Json(null);
  }
}

const MAX_RETRY_AFTER_MS = 60 * 60_000;

/** @param seconds as a platform writes it, with a fraction or not. */
export function retryAfterMs(seconds: string | number | null | undefined): number | null {
  const value = typeof seconds === 'string' ? Number.parseFloat(seconds) : (seconds ?? Number.NaN);
  return Number.isFinite(value) && value >= 0 ? Math.min(Math.ceil(value * 1000), MAX_RETRY_AFTER_MS) : null;
}

export const DELIVERED: SendOutcome = { kind: 'delivered' };

/** Neither the platform's fault nor the channel's: it asks to wait. */
export function rateLimited(afterMs: number | null, code = 'rate_limited'): SendFailure {
  return { kind: 'failed', code, isPassing: true, isPlatformFault: false, retryAfterMs: afterMs };
}

/** A fault of the platform. */
export function platformFault(code: string, afterMs: number | null = null): SendFailure {
  return { kind: 'failed', code, isPassing: true, isPlatformFault: true, retryAfterMs: afterMs };
}

/** Refused for good: the channel's credentials, its settings, or the message. */
export function refusedForGood(code: string): SendFailure {
  return { kind: 'failed', code: code.slice(0, 100), isPassing: false, isPlatformFault: false, retryAfterMs: null };
}

/** The outcome that a status alone tells. */
export function statusOutcome({ status, headers }: Pick<HttpAnswer, 'status' | 'headers'>): SendOutcome {
  const after = retryAfterMs(String(headers['retry-after'] ?? ''));
  if (status >= 200 && status < 300) return DELIVERED;
  if (status === 429) return rateLimited(after);
  if (status >= 500) return platformFault(`http_${status}`, after);
  if (status === 408 || status === 425) return platformFault(`http_${status}`, after);
  return refusedForGood(`http_${status}`);
}

/** The address of the platform's API, or of another one that the channel names, without a slash at its end. */
export function apiBase({ settings }: Pick<ChannelAccess, 'settings'>, standard: string): string {
  return withoutTrailingSlashes(settings.api_base_url ?? standard);
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
