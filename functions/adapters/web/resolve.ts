import { lookup } from 'node:dns/promises';

/** All addresses of a host name; an address is its own. Rejects when the name is not known. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Asks as every program of the machine does: hosts file, then DNS. */
export const resolveByDns: Resolve = async (host, signal) => {
  signal.throwIfAborted();
  // The system's resolver cannot be stopped; only the waiting for it can.
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const found = await Promise.race([lookup(host, { all: true, order: 'verbatim' }), aborted]);
  return found.map(({ address }) => address);
};
