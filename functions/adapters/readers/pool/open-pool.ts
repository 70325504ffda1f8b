import { availableParallelism } from 'node:os';
import type { ReaderWorkerOptions } from './reader-messages.ts';
import { ReaderPool } from './reader-pool.ts';

/**
 * On two cores, two processes of one thread read 35 pages a minute, one process of two threads 28: a third of the work knows
 * no threads. More processes would need more than 1.5 GB in all.
 */
const MAX_PROCESSES = 2;
/** The models, a page, and a list of 60,000 drugs with the index of its names, which takes 100. */
const MAX_READER_MEGABYTES = 700;
/** At 18 MB each the largest images take as much memory as a reader. */
const MAX_WAITING = 32;
/** Processor time of a page: frees the reader from one that never ends. About what a single call has on an idle machine. */
const PAGE_SECONDS = 30;

/** A pool that shares the cores of this machine, with a first process that is ready. */
export async function openPool(options: Omit<ReaderWorkerOptions, 'threads'>): Promise<ReaderPool> {
  const cores = availableParallelism();
  // Who waits for a service leaves the core to another.
  const processes = options.reader.usual === 'embedded' ? Math.min(MAX_PROCESSES, cores) : MAX_PROCESSES;
  const pool = new ReaderPool({
    ...options,
    processes,
    threads: Math.max(1, Math.floor(cores / processes)),
    maxWaiting: MAX_WAITING,
    pageSeconds: PAGE_SECONDS,
    maxMemoryMegabytes: MAX_READER_MEGABYTES,
  });
  await pool.warm();
  return pool;
}
