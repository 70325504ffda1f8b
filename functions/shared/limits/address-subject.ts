import { isIPv6 } from 'node:net';

/** Groups of an IPv6 address that a provider gives to one customer, who can use all that follow. */
const CUSTOMER_GROUPS = 4;
const GROUPS = 8;

/** Whom an address stands for in limits: itself, or its /64 network where a customer has 2^64 of them. */
export function addressSubject(address: string): string {
  const [text = ''] = address.split('%');
  // An IPv4 address within an IPv6 one is left as it is.
  if (!isIPv6(text) || text.includes('.')) return text;
  const [head = '', tail] = text.toLowerCase().split('::');
  const groupsOf = (part: string) => (part === '' ? [] : part.split(':'));
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = tail === undefined ? 0 : GROUPS - first.length - last.length;
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last];
  const network = groups.slice(0, CUSTOMER_GROUPS).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
