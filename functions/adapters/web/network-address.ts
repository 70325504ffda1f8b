import ipaddr from 'ipaddr.js';

/** All of IPv6 that is routed on the public internet is in here; the rest holds IPv4 in disguise and local networks. */
const GLOBAL_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * `public`: reachable by anyone anyway. `loopback`: this machine. `other`: private, link-local (cloud metadata), carrier-grade NAT,
 * multicast, unspecified, reserved, and IPv6 forms that lead to IPv4 ones (mapped, NAT64, 6to4, Teredo).
 */
export type Reach = 'public' | 'loopback' | 'other';

/** @param address an IPv4 or IPv6 address as a resolver writes it; anything else is `other`. */
export function reachOf(address: string): Reach {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    const range = ipaddr.IPv4.parse(address).range();
    return range === 'unicast' ? 'public' : range === 'loopback' ? 'loopback' : 'other';
  }
  if (!ipaddr.IPv6.isValid(address)) return 'other';
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.range() === 'loopback') return 'loopback';
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_IPV6) ? 'public' : 'other';
}
