import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { memoize } from '../../shared/memoize.ts';
import { ConnectionPool } from './connection-pool.ts';
import { areLoopback, type FetchPolicy, permittedAddresses } from './fetch-policy.ts';
import { FetchRefused } from './fetch-refused.ts';
import { isLanHost } from './lan-hosts.ts';
import { type PinnedRequest, requestPinned } from './pinned-request.ts';
import { type Resolve, resolveByDns } from './resolve.ts';

export interface SafeFetchOptions extends FetchPolicy {
  readonly resolve?: Resolve;
}

export interface SafeRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Names in lower case. All but `accept` go to the origin that the caller named, and not along to another that it redirects to. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** False: a redirect is the response. By default those of GET and HEAD are followed. */
  readonly followsRedirects?: boolean;
  /** For everything together: names, redirects, head and body. */
  readonly timeoutMs: number;
  /** Fires when the answer is of no use any more; the connection is closed then. */
  readonly signal?: AbortSignal;
  /** Owner of connections that are kept for its next request; absent: every request opens a new connection. */
  readonly connectionOwner?: string;
}

export interface SafeResponse {
  /** 100 to 599; a redirect only where it is not followed. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body as it comes. Every response is to be read to its end, or `close`d. @throws FetchRefused */
  readonly body: AsyncIterable<Uint8Array>;
  close(): void;
  /** Instead of `close`, when the rest of the body does not matter: the connection is kept if the end comes soon. */
  finish(): void;
}

/** A body whose rest takes longer costs more than a new connection. */
const MAX_DRAIN_MS = 1_000;
const MAX_REDIRECTS = 3;
const REDIRECTS: readonly (number | undefined)[] = [301, 302, 303, 307, 308];
/** Set by the connection, or able to smuggle a second request into it. */
const RESERVED_HEADERS =
  /^(host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/;

/**
 * Requests addresses that callers name, without becoming their way into a network: only the public internet can be reached,
 * connections go to the addresses that were judged, redirects of GET and HEAD are judged in the same way and those of other
 * methods are not followed, nothing is unpacked. For images behind an address, upstream models, http_request nodes and
 * webhooks alike.
 */
export class SafeFetch {
  readonly #policy: FetchPolicy;
  readonly #resolve: Resolve;
  readonly #pool = memoize(() => new ConnectionPool());

  constructor({ resolve = resolveByDns, ...policy }: SafeFetchOptions) {
    this.#policy = policy;
    this.#resolve = resolve;
  }

  /** @throws FetchRefused; what `signal` was aborted with. */
  async fetch(
    address: string,
    { method = 'GET', headers = {}, body, timeoutMs, signal, connectionOwner, followsRedirects = true }: SafeRequest,
  ): Promise<SafeResponse> {
    const url = parsed(address, this.#policy.field);
    const timeout = AbortSignal.timeout(timeoutMs);
    const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const toRefusal = (error: unknown): unknown => {
      if (error instanceof FetchRefused) return error;
      if (signal?.aborted) return signal.reason;
      const { field } = this.#policy;
      if (timeout.aborted)
        return new FetchRefused('timeout', `${field} was not read to its end within ${timeoutMs / 1000} seconds.`);
      return new FetchRefused('unreachable', `${field} could not be read: ${reasonOf(error)}.`, { cause: error });
    };
    try {
      const response = await this.#follow(url, {
        method,
        headers: permitted(headers, this.#policy.field),
        body,
        signal: either,
        kept: connectionOwner === undefined ? undefined : { pool: this.#pool(), owner: connectionOwner },
        followsRedirects: followsRedirects && (method === 'GET' || method === 'HEAD'),
      });
      return {
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: chunksOf(response, toRefusal),
        close: () => void response.destroy(),
        finish: () => drain(response),
      };
    } catch (error) {
      throw toRefusal(error);
    }
  }

  async #follow(
    first: URL,
    {
      method,
      headers,
      body,
      signal,
      kept,
      followsRedirects,
    }: Omit<PinnedRequest, 'headers'> & {
      readonly headers: Record<string, string>;
      readonly followsRedirects: boolean;
    },
  ): Promise<IncomingMessage> {
    const { field } = this.#policy;
    let url = first;
    // A public page must not lead the service to this machine's own ports, or into the operator's network.
    let { allowLoopback } = this.#policy;
    let allowLan = true;
    for (let redirects = 0; ; redirects++) {
      const addresses = await permittedAddresses(url, { field, allowLoopback, allowLan }, this.#resolve, signal);
      const own = url.origin === first.origin ? headers : { accept: headers.accept ?? '*/*' };
      const response = await requestPinned(url, addresses, {
        method,
        // Unpacking is what decompression bombs wait for.
        headers: {
          'user-agent': 'Tripod',
          ...own,
          'accept-encoding': 'identity',
          ...(body && { 'content-length': body.length }),
        },
        body,
        signal,
        kept,
      });
      if (!followsRedirects || !REDIRECTS.includes(response.statusCode)) return response;
      const { location = '' } = response.headers;
      response.destroy();
      if (redirects === MAX_REDIRECTS)
        throw new FetchRefused(
          'too_many_redirects',
          `${field} was redirected more than ${MAX_REDIRECTS} times. Send the final address.`,
        );
      allowLan &&= isLanHost(url);
      url = parsed(location, field, url);
      allowLoopback &&= areLoopback(addresses);
    }
  }
}

/**
 * The whole body of a response, in one piece. Always closes the response.
 * @throws FetchRefused 'too_large' beyond `maxBytes`, and 'bad_response' for a compressed body, since none was requested.
 */
export async function readBody(
  { headers, body, close }: Pick<SafeResponse, 'headers' | 'body' | 'close'>,
  maxBytes: number,
  field: string,
): Promise<Uint8Array> {
  const tooLarge = () => new FetchRefused('too_large', `${field} answered with more than ${maxBytes} bytes.`);
  try {
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity')
      throw new FetchRefused(
        'bad_response',
        `${field} answered with a content-encoding, which was not asked for. Serve it as it is.`,
      );
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
    const chunks: Uint8Array[] = [];
    let received = 0;
    for await (const chunk of body) {
      received += chunk.length;
      if (received > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    close();
  }
}

async function* chunksOf(
  response: IncomingMessage,
  toRefusal: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    // `finish` or `close` handles the unread rest: abandoning the iteration must not end the connection.
    yield* response.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw toRefusal(error);
  }
}

function drain(response: IncomingMessage): void {
  if (response.readableEnded || response.destroyed) return;
  const late = setTimeout(() => response.destroy(), MAX_DRAIN_MS).unref();
  response
    .once('close', () => clearTimeout(late))
    .once('error', () => undefined)
    .resume();
}

/** @throws FetchRefused for a header that would end the line, or the request. */
function permitted(headers: Readonly<Record<string, string>>, field: string): Record<string, string> {
  const { validateHeaderName, validateHeaderValue } = process.getBuiltinModule('node:http');
  const kept = Object.entries(headers).filter(([name]) => !RESERVED_HEADERS.test(name.toLowerCase()));
  for (const [name, value] of kept)
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw new FetchRefused(
        'invalid_request',
        `${field} cannot be requested with the header ${JSON.stringify(name)}: its name or value holds characters that HTTP does not allow.`,
      );
    }
  return Object.fromEntries(kept);
}

function parsed(address: string, field: string, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (url === null)
    throw new FetchRefused(
      'invalid_request',
      base ? `${field} was redirected to something that is not an address.` : `${field} is not a valid address.`,
    );
  return url;
}

/** Says what a caller can act on, and no address. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOTFOUND' || code === 'ENODATA') return 'its host name is not known';
  if (code === 'EAI_AGAIN') return 'its host name could not be looked up';
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) return 'its TLS certificate is not valid';
  if (code.startsWith('HPE_')) return 'its host does not speak HTTP properly';
  if (code === 'ECONNRESET') return 'its host broke off the connection';
  return 'no connection to its host came about';
}
