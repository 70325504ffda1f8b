import { isIP } from 'node:net';

/**
 * Whether a request's Host names a service that listens on loopback. A page in a browser can make its own name point to 127.0.0.1 (DNS
 * rebinding) and may then read the responses; its requests still carry that name. An address cannot be made to point elsewhere. Undefined
 * if the service listens beyond loopback: the names that other machines use for this one are unknown here.
 */
export function knownHosts(listensOn: string): ((host: string) => boolean) | undefined {
  if (!isLoopback(listensOn)) return undefined;
  return (host) => {
    const name = host.replace(/:\d*$/, '').toLowerCase();
    const address = name.replace(/^\[(.*)\]$/, '$1');
    return isIP(address) !== 0 || isLoopback(name) || name === listensOn.toLowerCase();
  };
}

function isLoopback(name: string): boolean {
  const lower = name.toLowerCase();
  return lower === 'localhost' || lower.endsWith('.localhost') || lower === '::1' || /^127(\.\d+){3}$/.test(lower);
}
