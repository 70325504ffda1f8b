import type { HttpAnswer } from './http-answer.ts';

export type SendOutcome =
  | { readonly kind: 'delivered' }
  | SendFailure
  /** The receiver wants no more messages: the channel is disabled. */
  | { readonly kind: 'gone'; readonly code: string };

export interface SendFailure {
  readonly kind: 'failed';
  /** A short stable word, such as `http_500`, `timeout` or the platform's own code. */
  readonly code: string;
  /** The platform's error message, verbatim. */
  readonly detail: string | null;
  /** Trying again may help. */
  readonly isPassing: boolean;
  /** A fault of the platform, which its circuit breaker counts; not one of the channel's own configuration. */
  readonly isPlatformFault: boolean;
  /** The channel's credentials are refused: nothing is delivered until they are replaced. */
  readonly isChannelBroken: boolean;
  /** There was no answer: the platform may have taken the part. */
  readonly isUnknown: boolean;
  /** The delay that the platform asks for. */
  readonly retryAfterMs: number | null;
}

/** Code of an attempt whose issued token was refused before its time. */
export const TOKEN_REFUSED = 'token_refused';

const MAX_RETRY_AFTER_MS = 60 * 60_000;

/**
 * @param seconds as a platform writes it: a number with a fraction or not, or a date.
 * @param answeredAt the date of the answer, which a date is compared with.
 */
export function retryAfterMs(
  seconds: string | number | null | undefined,
  answeredAt: string | string[] | undefined = undefined,
): number | null {
  if (typeof seconds === 'string' && /^[A-Z][a-z]{2}, /.test(seconds)) {
    const waitMs = Date.parse(seconds) - Date.parse(String(answeredAt));
    return Number.isFinite(waitMs) ? Math.min(Math.max(0, waitMs), MAX_RETRY_AFTER_MS) : null;
  }
  const value = typeof seconds === 'string' ? Number.parseFloat(seconds) : (seconds ?? Number.NaN);
  return Number.isFinite(value) && value >= 0 ? Math.min(Math.ceil(value * 1000), MAX_RETRY_AFTER_MS) : null;
}

export const DELIVERED: SendOutcome = { kind: 'delivered' };

const MAX_CODE_LENGTH = 100;
export const MAX_DETAIL_LENGTH = 300;

function failure(
  code: string,
  detail: string | null,
  how: Partial<Omit<SendFailure, 'kind' | 'code' | 'detail'>>,
): SendFailure {
  return {
    kind: 'failed',
    code: code.slice(0, MAX_CODE_LENGTH),
    detail: detail?.toWellFormed().slice(0, MAX_DETAIL_LENGTH).toWellFormed() || null,
    isPassing: false,
    isPlatformFault: false,
    isChannelBroken: false,
    isUnknown: false,
    retryAfterMs: null,
    ...how,
  };
}

/** Neither the platform's fault nor the channel's: it asks to wait. */
export function rateLimited(afterMs: number | null, code = 'rate_limited', detail: string | null = null): SendFailure {
  return failure(code, detail, { isPassing: true, retryAfterMs: afterMs });
}

/** A fault of the platform. */
export function platformFault(code: string, afterMs: number | null = null, detail: string | null = null): SendFailure {
  return failure(code, detail, { isPassing: true, isPlatformFault: true, retryAfterMs: afterMs });
}

/** A fault of the platform that leaves open whether it has taken the part. */
export function unanswered(code: string): SendFailure {
  return failure(code, null, { isPassing: true, isPlatformFault: true, isUnknown: true });
}

/** Worth another attempt, and neither's fault. */
export function tryAgain(code: string, detail: string | null = null): SendFailure {
  return failure(code, detail, { isPassing: true });
}

/** Refused for good: the channel's settings, or the message. */
export function refusedForGood(code: string, detail: string | null = null): SendFailure {
  return failure(code, detail, {});
}

/** The channel's credentials are refused. */
export function channelBroken(code: string, detail: string | null = null): SendFailure {
  return failure(code, detail, { isPassing: true, isChannelBroken: true });
}

/**
 * The outcome that follows from a status alone.
 * @param detail the platform's error message, if any; it names a refusal.
 */
export function statusOutcome(
  { status, headers }: Pick<HttpAnswer, 'status' | 'headers'>,
  detail: string | null = null,
): SendOutcome {
  const after = retryAfterMs(String(headers['retry-after'] ?? ''), headers.date);
  const code = `http_${status}`;
  if (status >= 200 && status < 300) return DELIVERED;
  if (status === 401) return channelBroken(code, detail);
  if (status === 429) return rateLimited(after, 'rate_limited', detail);
  if (status >= 500 || status === 408 || status === 425) return platformFault(code, after, detail);
  return refusedForGood((detail && wordOf(detail)) || code, detail);
}

/** A short stable word of a sentence: "Forbidden: bot was blocked by the user" is `bot_was_blocked_by_the_user`. */
export function wordOf(sentence: string): string {
  const words = sentence
    .slice(0, MAX_DETAIL_LENGTH)
    .replace(/^(?:Bad Request|Forbidden|Unauthorized|Not Found): /, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return (words ?? []).join('_').slice(0, MAX_CODE_LENGTH);
}
