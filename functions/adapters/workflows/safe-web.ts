import type { Web, WebRequest, WebResponse } from '../../workflows/domain/effects/effect-ports.ts';
import { NodeFailed } from '../../workflows/domain/run/node-effects.ts';
import { FetchRefused } from '../web/fetch-refused.ts';
import { readBody, SafeFetch } from '../web/safe-fetch.ts';

const FIELD = 'config.url';
const LAN_ADVICE = 'The operator of the service can permit servers of a local network with LAN_HOSTS.';

/** The public internet; on a local service this machine too. */
export class SafeWeb implements Web {
  readonly #fetch: SafeFetch;

  constructor({ allowLoopback }: { readonly allowLoopback: boolean }) {
    this.#fetch = new SafeFetch({ field: FIELD, allowLoopback });
  }

  async request(
    { method, url, headers, body, timeoutMs, maxBytes }: WebRequest,
    signal: AbortSignal,
  ): Promise<WebResponse> {
    try {
      const options = { method, headers, timeoutMs, signal, ...(body && { body }) };
      const response = await this.#fetch.fetch(url, options);
      const received = await readBody(response, maxBytes, FIELD);
      return { status: response.status, headers: plainHeaders(response.headers), body: received };
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error;
      const isPassing = error.reason === 'unreachable' || error.reason === 'timeout';
      const advice = error.reason === 'not_public' ? ` ${LAN_ADVICE}` : '';
      throw new NodeFailed(`fetch_${error.reason}`, error.message + advice, { isPassing, cause: error });
    }
  }
}

function plainHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  );
  return Object.fromEntries(entries);
}
