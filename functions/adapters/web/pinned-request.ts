import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';

// An `import` of node:http reads every export of it, WebSocket too, and with that one loads undici: 20 ms of a cold start.

export interface PinnedRequest {
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Uint8Array | undefined;
  readonly signal: AbortSignal;
}

/**
 * Sends a request to exactly these addresses, whatever the URL's name resolves to by now. The Host header, the server name in
 * TLS and the check of the certificate keep the name.
 * @returns the response once its head has come; the body is the caller's to read or to destroy.
 */
export function requestPinned(
  url: URL,
  addresses: readonly string[],
  { method, headers, body, signal }: PinnedRequest,
): Promise<IncomingMessage> {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_host, { all }, callback) => {
    if (all) callback(null, entries);
    else callback(null, entries[0]!.address, entries[0]!.family);
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  // A pooled connection may have been opened for another caller, to another address.
  request(url, { method, agent: false, lookup, signal, headers }).on('response', resolve).on('error', reject).end(body);
  return promise;
}
