import { ToolFailed } from '../../../chat/domain/tools/tool.ts';
import { FetchRefused } from '../../web/fetch-refused.ts';

/** A request that was not made or returned nothing usable, as reported to the model and the client. */
export function failureOfFetch(error: unknown): unknown {
  if (!(error instanceof FetchRefused)) return error;
  const { reason, message } = error;
  return new ToolFailed(reason === 'timeout' ? 'timeout' : 'unavailable', message, { cause: error });
}

/** A text without secrets that a server has repeated. */
export function redacted(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => (secret.length < 4 ? rest : rest.replaceAll(secret, '…')), text);
}
