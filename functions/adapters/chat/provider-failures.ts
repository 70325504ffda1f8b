import type { IncomingHttpHeaders } from 'node:http';
import { ModelFailed } from '../../chat/domain/chat-model.ts';
import { FetchRefused } from '../web/fetch-refused.ts';

const MAX_SHOWN_LENGTH = 500;
const ABOUT_CONTEXT =
  /context[ _-](length|window|size|limit)|maximum (number of )?tokens|too many tokens|prompt is too long/i;

/** Codes and types of providers whose account is empty: time alone does not help. */
const ABOUT_MONEY =
  /insufficient_(quota|balance|funds|credits?)|exceeded_current_quota|billing|credit_balance|payment/i;
const ABOUT_LIMIT = /rate.?limit|too_many_requests|throttl/i;
const ABOUT_TIME = /time.?out|deadline/i;

export interface ProviderError {
  readonly status: number;
  /** The body, as far as it was read. */
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
  readonly nowMs: number;
}

/** The failure that a provider's error response describes. */
export function failureOfStatus(
  { status, text, headers, nowMs }: ProviderError,
  secrets: readonly string[],
): ModelFailed {
  return failureOf(status, errorOf(text), secrets, retryAfterSeconds(headers, nowMs));
}

/** An error object in the place of an answer, or in the middle of it: its code may be an HTTP status, a name, or absent. */
export function failureInStream(error: unknown, secrets: readonly string[]): ModelFailed {
  const said = errorOf(JSON.stringify({ error }));
  const { message, code } = said;
  const status = /^[45]\d\d$/.test(code) ? Number(code) : impliedStatus(code);
  if (status !== null || ABOUT_MONEY.test(code) || isAboutContext(said)) return failureOf(status ?? 400, said, secrets);
  const shown = redacted(message, secrets) || 'no reason given';
  return new ModelFailed('provider_error', `The model provider broke off: ${shown}`, { isPassing: true });
}

function impliedStatus(code: string): number | null {
  if (ABOUT_LIMIT.test(code)) return 429;
  return ABOUT_TIME.test(code) ? 504 : null;
}

function failureOf(
  status: number,
  said: SaidError,
  secrets: readonly string[],
  retryAfterSeconds: number | null = null,
): ModelFailed {
  const shown = said.message === '' ? '' : `: ${redacted(said.message, secrets)}`;
  if (status === 402 || (status < 500 && ABOUT_MONEY.test(said.code)))
    return new ModelFailed(
      'provider_error',
      'The application’s account at the model provider has no quota or credit left. Check its billing there.',
    );
  if (status === 429)
    return new ModelFailed('rate_limit', 'The model provider’s rate limit is reached. Try again later.', {
      isPassing: true,
      retryAfterSeconds,
    });
  // What it says may hold a part of the key.
  if (status === 401 || status === 403)
    return new ModelFailed('auth_error', 'The model provider refuses the credentials of the application.');
  if (status === 408 || status === 504)
    return new ModelFailed('timeout', `The model provider took too long (status ${status}).`, { isPassing: true });
  if (status < 500 && isAboutContext(said))
    return new ModelFailed('context_overflow', `The conversation is beyond the model’s context window${shown}`);
  if (status === 400 || status === 413 || status === 422)
    return new ModelFailed('invalid_request', `The model provider refuses the request${shown}`);
  if (status < 500)
    return new ModelFailed(
      'provider_error',
      `The model provider answered with status ${status}; check the model’s name and base_url`,
    );
  return new ModelFailed('provider_error', `The model provider failed with status ${status}.`, {
    isPassing: true,
    retryAfterSeconds,
  });
}

function isAboutContext({ message, code }: SaidError): boolean {
  return code === 'context_length_exceeded' || ABOUT_CONTEXT.test(message.slice(0, 2_000));
}

/** A connection that did not come about, or broke. */
export function failureOfConnection(error: unknown): unknown {
  if (!(error instanceof FetchRefused)) return error;
  const { reason, message } = error;
  if (reason === 'timeout') return new ModelFailed('timeout', 'The model provider took too long.', { cause: error });
  const isPassing = reason === 'unreachable';
  return new ModelFailed('provider_error', `The model provider cannot be reached: ${message}`, {
    isPassing,
    cause: error,
  });
}

export function garbage(cause?: unknown): ModelFailed {
  return new ModelFailed('provider_error', 'The model provider sent something that is no answer.', {
    isPassing: true,
    cause,
  });
}

interface SaidError {
  readonly message: string;
  /** Code and type, as far as there are. */
  readonly code: string;
}

function errorOf(text: string): SaidError {
  try {
    const { error, message, code } = JSON.parse(text) as Record<string, unknown>;
    const inner = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
    const said = [inner.message, error, message].find((each) => typeof each === 'string') ?? '';
    const named = [inner.code, inner.type, code].find((each) => typeof each === 'string' || typeof each === 'number');
    const type = typeof inner.type === 'string' && ABOUT_MONEY.test(inner.type) ? inner.type : named;
    return { message: String(said), code: String(type ?? '') };
  } catch {
    return { message: '', code: '' };
  }
}

function redacted(message: string, secrets: readonly string[]): string {
  return secrets.reduce((text, secret) => text.replaceAll(secret, '…'), message).slice(0, MAX_SHOWN_LENGTH);
}

/** The pause that a provider asks for: whole seconds, a fraction of some, or a date. */
export function retryAfterSeconds(
  { 'retry-after-ms': milliseconds, 'retry-after': header }: IncomingHttpHeaders,
  nowMs: number,
): number | null {
  const ms = typeof milliseconds === 'string' && NUMBER.test(milliseconds) ? Number(milliseconds) : null;
  if (ms !== null) return ms / 1000;
  if (header === undefined) return null;
  if (NUMBER.test(header)) return Number(header);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, (atMs - nowMs) / 1000);
}

const NUMBER = /^\d{1,9}(\.\d{1,9})?$/;
