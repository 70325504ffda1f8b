import type { IncomingHttpHeaders } from 'node:http';
import { ModelFailed } from '../../chat/domain/chat-model.ts';
import { boundedJson } from '../../shared/bounded-json.ts';
import { FetchRefused } from '../web/fetch-refused.ts';
import { type Fault, faultOf } from './provider-faults.ts';
import { type SaidError, saidError } from './said-errors.ts';

const MAX_SHOWN_LENGTH = 500;

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
  const said = saidError(jsonIn(text));
  const advised = retryAfterSeconds(headers, nowMs) ?? said.retryAfterSeconds;
  return failureOf(faultOf(status, said), status, said, secrets, advised);
}

/** An error in the place of an answer, or in the middle of it: its code may be an HTTP status, a name, or absent. */
export function failureInStream(error: unknown, secrets: readonly string[]): ModelFailed {
  const said = saidError(error);
  const fault = faultOf(said.status, said);
  if (fault !== 'broken') return failureOf(fault, said.status ?? 400, said, secrets, said.retryAfterSeconds);
  const shown = redacted(said.message, secrets) || 'no reason given';
  return new ModelFailed('provider_error', `The model provider broke off: ${shown}`, { isPassing: true });
}

function failureOf(
  fault: Fault,
  status: number,
  { message }: SaidError,
  secrets: readonly string[],
  retryAfterSeconds: number | null,
): ModelFailed {
  const shown = message === '' ? '' : `: ${redacted(message, secrets)}`;
  switch (fault) {
    case 'money':
      return new ModelFailed(
        'provider_error',
        'The application’s account at the model provider has no quota or credit left. Check its billing there.',
      );
    case 'limit':
      return new ModelFailed('rate_limit', 'The model provider’s rate limit is reached. Try again later.', {
        isPassing: true,
        retryAfterSeconds,
      });
    // What it says may hold a part of the key.
    case 'credentials':
      return new ModelFailed('auth_error', 'The model provider refuses the credentials of the application.');
    case 'time':
      return new ModelFailed('timeout', `The model provider took too long (status ${status}).`, { isPassing: true });
    case 'context':
      return new ModelFailed('context_overflow', `The conversation is beyond the model’s context window${shown}`);
    case 'filter':
      return new ModelFailed('invalid_request', `The model provider’s content filter refuses the conversation${shown}`);
    case 'request':
      return new ModelFailed('invalid_request', `The model provider refuses the request${shown}`);
    case 'address':
      return new ModelFailed(
        'provider_error',
        `The model provider answered with status ${status}; check the model’s name and base_url`,
      );
    case 'broken':
      return new ModelFailed('provider_error', `The model provider failed with status ${status}.`, {
        isPassing: true,
        retryAfterSeconds,
      });
  }
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
  return new ModelFailed('provider_error', 'The model provider sent something that is not an answer.', {
    isPassing: true,
    cause,
  });
}

function jsonIn(text: string): unknown {
  try {
    return boundedJson(text);
  } catch {
    return undefined;
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
