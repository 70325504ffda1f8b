import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import type { ConnectionPool } from './connection-pool.ts';

// An `import` of node:http reads every export of it, WebSocket too, and with that one loads undici: 20 ms of a cold start.

export interface PinnedRequest {
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Uint8Array | undefined;
  readonly signal: AbortSignal;
  /** Absent: the connection is opened for this request, and closed behind it. */
  readonly kept?: { readonly pool: ConnectionPool; readonly owner: string } | undefined;
}

/**
 * Sends a request to exactly these addresses, even if the URL's name resolves elsewhere by now. The Host header, the TLS server name and
 * the certificate check use the name.
 * @returns the response once its head has arrived; the caller reads or destroys the body.
 */
export async function requestPinned(
  url: URL,
  addresses: readonly string[],
  { kept, ...sent }: PinnedRequest,
): Promise<IncomingMessage> {
  // A pooled connection may have been opened for another caller, to another address.
  if (kept === undefined) return responseTo(start(url, addresses, sent, { agent: false }));
  const request = start(url, addresses, sent, kept.pool.optionsFor(url, addresses, kept.owner));
  try {
    return await responseTo(request);
  } catch (error) {
    // Its server closed the kept connection at this very moment: it has not read the request.
    if (!request.reusedSocket || !isReset(error) || sent.signal.aborted) throw error;
    return responseTo(start(url, addresses, sent, { agent: false }));
  }
}

function start(
  url: URL,
  addresses: readonly string[],
  { method, headers, body, signal }: Omit<PinnedRequest, 'kept'>,
  connection: object,
): ClientRequest {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_host, { all }, callback) => {
    if (all) callback(null, entries);
    else callback(null, entries[0]!.address, entries[0]!.family);
  };
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  return request(url, { method, lookup, signal, headers, ...connection }).end(body);
}

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve).on('error', reject);
  });
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}
