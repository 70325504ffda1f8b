import { environment } from '../../shared/environment.ts';

/**
 * Whether a URL names a server that the operator has named for outgoing calls: a model or a PACS in a hospital's own network. Host and
 * port must be exactly those, so that callers cannot reach other servers of that network.
 */
export function isLanHost({ protocol, hostname, port }: URL): boolean {
  const named = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
  return /^https?:$/.test(protocol) && environment('LAN_HOSTS').LAN_HOSTS.includes(named);
}
