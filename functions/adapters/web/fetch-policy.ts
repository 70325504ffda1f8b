import { FetchRefused } from './fetch-refused.ts';
import { isLanHost } from './lan-hosts.ts';
import { reachOf } from './network-address.ts';
import type { Resolve } from './resolve.ts';

export interface FetchPolicy {
  /** How the caller knows the address: the field of the request that names it. Messages start with it. */
  readonly field: string;
  /** Local mode: addresses of this very machine are let through, over plain http as well. */
  readonly allowLoopback: boolean;
  /** False after a redirect from elsewhere: only the caller names servers of the operator's own network. */
  readonly allowLan?: boolean;
}

/** Below 1024, other than these, are mail, shells and name servers: privileged ports are blocked. */
const HTTPS_PORT = 443;
const FIRST_UNPRIVILEGED_PORT = 1024;

/**
 * The addresses at which a URL may be requested: those of the public internet, over https. Its name is resolved once, and a single
 * address that is not public refuses it entirely, so that changing DNS answers gains nothing.
 * @throws FetchRefused; any error of the resolver.
 */
export async function permittedAddresses(
  url: URL,
  { field, allowLoopback, allowLan = true }: FetchPolicy,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (url.username !== '' || url.password !== '')
    throw new FetchRefused('invalid_request', `${field} holds a user name or password. Leave them out of the address.`);
  const isLan = allowLan && isLanHost(url);
  if (url.protocol !== 'https:' && !((allowLoopback || isLan) && url.protocol === 'http:'))
    throw new FetchRefused('invalid_request', `${field}, and every address it redirects to, must start with https://.`);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = await resolve(host, signal);
  if (isLan && addresses.length > 0) return addresses;
  const reaches = new Set(addresses.map(reachOf));
  if (addresses.length > 0 && allowLoopback && reaches.size === 1 && reaches.has('loopback')) return addresses;
  // The message names no address: it must not help to draw a map of any network.
  if (addresses.length === 0 || reaches.size !== 1 || !reaches.has('public') || url.protocol !== 'https:')
    throw new FetchRefused(
      'not_public',
      `${field}, or where it redirects to, is not on the public internet. Name an https address that can be reached from anywhere.`,
    );
  const port = Number(url.port || HTTPS_PORT);
  if (port !== HTTPS_PORT && port < FIRST_UNPRIVILEGED_PORT)
    throw new FetchRefused('invalid_request', `${field} names port ${port}; use 443 or one above 1023.`);
  return addresses;
}

/** True when every address is this machine's own: only from there may a redirect lead to this machine again. */
export function areLoopback(addresses: readonly string[]): boolean {
  return addresses.every((address) => reachOf(address) === 'loopback');
}
