/** A thread that answers each job with its number. */
import { threadId } from 'node:worker_threads';
import { BoundedThreads, serveThread } from '../../functions/adapters/threads/bounded-threads.ts';

const NAME = 'thread-number';

export function numberedThreads(): BoundedThreads<null, number> {
  return new BoundedThreads({
    ...{ module: import.meta.url, name: NAME, threads: 2, areKept: true },
    ...{ seconds: 60, heapMb: 64 },
  });
}

serveThread(NAME, () => threadId);
