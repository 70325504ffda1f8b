import { type LocalService, startLocalService } from '../../bench/local-service.ts';
import { Finding } from './finding.ts';

/** Time within which any answer must be there: that of the slowest route. */
const PATIENCE_MS = 120_000;

export interface FuzzedService extends LocalService {
  /** @throws Finding for a status of 500 or more, other than 503, and for a service that does not answer. */
  send(path: string, init: RequestInit): Promise<Response>;
  /** @throws Finding when the service is not well. */
  check(): Promise<void>;
}

/** A local service of the fuzzer's own. */
export async function startFuzzedService(): Promise<FuzzedService> {
  const service = await startLocalService();
  const send = async (path: string, init: RequestInit) => {
    const headers = { 'x-api-key': service.apiKey, 'content-type': 'application/json', ...init.headers };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`${service.url}${path}`, { ...init, headers, signal }).catch((cause: unknown) => {
      throw new Finding(`${init.method} ${path} was not answered: ${String((cause as Error).cause ?? cause)}`);
    });
    if (response.status >= 500 && response.status !== 503)
      throw new Finding(`${init.method} ${path} was answered with ${response.status}: ${await response.text()}`);
    return response;
  };
  return {
    ...service,
    send,
    async check() {
      const response = await send('/api/v1/health', { method: 'GET' });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Finding(`The service is not well any more: ${response.status}`);
    },
  };
}
