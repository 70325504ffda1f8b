import { ModelFailed } from '../../chat/domain/chat-model.ts';
import { FetchRefused } from '../web/fetch-refused.ts';

const MAX_SHOWN_LENGTH = 500;
const ABOUT_CONTEXT =
  /context[ _-](length|window|size|limit)|maximum (number of )?tokens|too many tokens|prompt is too long/i;

/** What a provider's error response says. @param text its body, as far as it was read. */
export function failureOfStatus(
  status: number,
  text: string,
  retryAfter: string | undefined,
  secrets: readonly string[],
): ModelFailed {
  const { message, code } = errorOf(text);
  const said = message === '' ? '' : `: ${redacted(message, secrets)}`;
  if (status === 429)
    return new ModelFailed('rate_limit', 'The model provider’s rate limit is reached. Try again later.', {
      isPassing: code !== 'insufficient_quota',
      retryAfterSeconds: secondsOf(retryAfter),
    });
  // What it says may hold a part of the key.
  if (status === 401 || status === 403)
    return new ModelFailed('auth_error', 'The model provider refuses the credentials of the application.');
  if (status === 408 || status === 504)
    return new ModelFailed('timeout', `The model provider took too long (status ${status}).`, { isPassing: true });
  if (code === 'context_length_exceeded' || (status < 500 && ABOUT_CONTEXT.test(message.slice(0, 2_000))))
    return new ModelFailed('context_overflow', `The conversation is beyond the model’s context window${said}`);
  if (status === 400 || status === 413 || status === 422)
    return new ModelFailed('invalid_request', `The model provider refuses the request${said}`);
  if (status < 500)
    return new ModelFailed(
      'provider_error',
      `The model provider answered with status ${status}; check the model’s name and base_url`,
    );
  return new ModelFailed('provider_error', `The model provider failed with status ${status}.`, { isPassing: true });
}

/** An error object in the middle of a stream. */
export function failureInStream(error: unknown, secrets: readonly string[]): ModelFailed {
  const { message, code } = errorOf(JSON.stringify({ error }));
  if (code === 'context_length_exceeded' || ABOUT_CONTEXT.test(message.slice(0, 2_000)))
    return new ModelFailed('context_overflow', 'The conversation is beyond the model’s context window.');
  if (/rate.?limit/i.test(code)) return new ModelFailed('rate_limit', 'The model provider’s rate limit is reached.');
  return new ModelFailed(
    'provider_error',
    `The model provider broke off: ${redacted(message, secrets) || 'no reason given'}`,
    {
      isPassing: true,
    },
  );
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

function errorOf(text: string): { readonly message: string; readonly code: string } {
  try {
    const { error, message } = JSON.parse(text) as { error?: unknown; message?: unknown };
    const inner = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
    const said = [inner.message, error, message].find((each) => typeof each === 'string') ?? '';
    return { message: String(said), code: String(inner.code ?? inner.type ?? '') };
  } catch {
    return { message: '', code: '' };
  }
}

function redacted(message: string, secrets: readonly string[]): string {
  return secrets.reduce((text, secret) => text.replaceAll(secret, '…'), message).slice(0, MAX_SHOWN_LENGTH);
}

function secondsOf(retryAfter: string | undefined): number | null {
  return retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null;
}
