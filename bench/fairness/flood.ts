/**
 * Sends one request over and over, several at once, until a message ends it; then reports the statuses of all responses. A separate
 * process at the lowest priority: flooding callers share no event loop with the measured one, and take little processor time from the
 * service.
 */
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Flood {
  readonly url: string;
  readonly key: string;
  /** JSON. */
  readonly body: string;
  readonly atOnce: number;
  /** A client that does not read Retry-After, but is not a loop of refusals either, waits so long after one. */
  readonly retryMs: number;
}

setPriority(constants.priority.PRIORITY_LOW);
// Also when the benchmark was ended in the middle.
process.once('disconnect', () => process.exit());
process.once('message', (flood: Flood) => {
  const end = new AbortController();
  process.once('message', () => end.abort());
  const clients = Array.from({ length: flood.atOnce }, () => keepOn(flood, end.signal));
  void Promise.all(clients).then((statuses) => {
    process.send!(statuses.flat());
    process.disconnect();
  });
});

async function keepOn({ url, key, body, retryMs }: Flood, end: AbortSignal): Promise<readonly number[]> {
  const statuses: number[] = [];
  while (!end.aborted) {
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const response = await fetch(url, { method: 'POST', headers, body });
    await response.arrayBuffer();
    statuses.push(response.status);
    if (response.status >= 400) await sleep(retryMs);
  }
  return statuses;
}
