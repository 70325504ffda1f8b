/** A thread whose jobs fill its heap in ways that leave V8 no time to end it at its limit. */
import { BoundedThreads, serveThread } from '../../functions/adapters/threads/bounded-threads.ts';

const NAME = 'growing-thread';

const GROWTHS = {
  list: () => {
    const list: number[] = [];
    for (let n = 0; ; n++) list.push(n + 0.5);
  },
  map: () => {
    const map = new Map<number, number>();
    for (let n = 0; ; n++) map.set(n, n);
  },
  objects: () => {
    const list: object[] = [];
    for (;;) list.push({ a: [1, 2, 3] });
  },
} as const;

export type Growth = keyof typeof GROWTHS;

export function growingThreads(): BoundedThreads<Growth, never> {
  return new BoundedThreads({
    ...{ module: import.meta.url, name: NAME, threads: 1, areKept: false },
    ...{ seconds: 60, heapMb: 96 },
  });
}

serveThread<Growth>(NAME, (growth) => GROWTHS[growth]());
