import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

/**
 * Asks for a URL at exactly these addresses, whatever its name resolves to by now. The Host header, the server name in TLS
 * and the check of the certificate keep the name. Nothing that identifies us or a caller is sent.
 */
export function requestPinned(url: URL, addresses: readonly string[], signal: AbortSignal): Promise<IncomingMessage> {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_host, { all }, callback) => {
    if (all) callback(null, entries);
    else callback(null, entries[0]!.address, entries[0]!.family);
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { request } = url.protocol === 'https:' ? https : http;
  request(url, {
    // A pooled connection may have been opened for another caller, to another address.
    agent: false,
    lookup,
    signal,
    headers: {
      accept: 'image/*, application/pdf;q=0.9, */*;q=0.1',
      'accept-encoding': 'identity',
      'user-agent': 'Tripod',
    },
  })
    .on('response', resolve)
    .on('error', reject)
    .end();
  return promise;
}
