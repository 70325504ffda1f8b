import { isIP } from 'node:net';
import type { ModelAddresses } from '../../shared/ports/model-addresses.ts';
import { isLanHost } from './lan-hosts.ts';
import { type Reach, reachOf } from './network-address.ts';

/**
 * Addresses that the safe fetch would refuse regardless of name resolution. The rest is checked for each request, since a name may
 * resolve elsewhere by then.
 */
export function webModelAddresses({ allowLoopback }: { readonly allowLoopback: boolean }): ModelAddresses {
  return {
    refusalOf(baseUrl) {
      const url = URL.parse(baseUrl);
      if (url === null) return 'is not a valid address';
      if (url.username !== '' || url.password !== '') return 'holds a user name or password; send the key as api_key';
      if (url.search !== '' || url.hash !== '') return 'holds a query or a fragment; end it with its path';
      if (isLanHost(url)) return null;
      const reach = literalReach(url.hostname);
      if (reach === 'loopback' && allowLoopback && /^https?:$/.test(url.protocol)) return null;
      if (url.protocol !== 'https:') return 'must start with https://';
      if (reach === 'public') return null;
      return 'is not on the public internet; name an https address that can be reached from anywhere';
    },
  };
}

/** Of a name other than this machine's, nothing is known before it is resolved. */
function literalReach(hostname: string): Reach {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) return reachOf(host);
  return host === 'localhost' || host.endsWith('.localhost') ? 'loopback' : 'public';
}
