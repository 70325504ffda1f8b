import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { JobCaller } from '../../shared/ports/job-caller.ts';
import { TooBusy } from '../../shared/too-busy.ts';
import { FairQueue } from '../shared/fair-queue.ts';

export interface ThreadLimits {
  /** Processor time of one job, the start of its thread excluded; at most MAX_STRETCH times as much on the clock. */
  readonly seconds: number;
  /** JavaScript's heap only: a thread that is found with more is ended. */
  readonly heapMb: number;
}

export interface ThreadOptions extends ThreadLimits {
  /** `import.meta.url` of the module that calls `serveThread` with this name. */
  readonly module: string;
  readonly name: string;
  /** Jobs at the same time. */
  readonly threads: number;
  /** Threads that one tenant may hold at once; all by default, which suits short jobs. */
  readonly threadsPerTenant?: number;
  /** True: a thread takes one job after another, for jobs that are shorter than its start, until it is idle. False: each job has a new one. */
  readonly areKept: boolean;
  /** Longest wait for a thread; callers of short jobs have left by the default. */
  readonly maxWaitSeconds?: number;
}

/** Jobs that may wait for a thread. One tenant gets half of the places, and never the last one if it has another. */
const MAX_WAITING = 200;
const MAX_WAIT_SECONDS = 20;
/** A job on a busy machine gets a part of a processor only. */
const MAX_STRETCH = 5;
/** At the limit that V8 knows, an allocation larger than a few MB ends the whole process: a thread must be ended before. */
const MAX_HEAP_STRETCH = 3;
const HEAP_CHECK_MS = 50;
/** A job's expected time, until it is known. */
const EXPECTED_MS = 50;
/** An idle thread holds the memory that its largest job took. */
const IDLE_MS = 10_000;

/** A job was given up: it took too much time or memory. */
export class ThreadStopped extends Error {
  override name = 'ThreadStopped';
  readonly reason: 'time' | 'memory';

  constructor(reason: ThreadStopped['reason'], options?: ErrorOptions) {
    super(`A job was given up: ${reason}`, options);
    this.reason = reason;
  }
}

type Outcome<Result> = { readonly result: Result } | { readonly fault: string };

/**
 * Threads for work whose time or memory a tenant's text decides. One that exceeds its limits is ended, and affects no other; the event loop
 * stays free. Tenants get equal shares of the threads' time, however much they queue.
 */
export class BoundedThreads<Job, Result> {
  readonly #options: ThreadOptions;
  /** The last one to become idle is the first to work again: surplus threads end. */
  readonly #idle: IdleThread[] = [];
  readonly #queue = new FairQueue<null>(() => EXPECTED_MS);
  #busy = 0;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** @throws ThreadStopped, TooBusy, the reason of an aborted signal, or Error for a fault of the work itself */
  async run(job: Job, { tenant, signal }: JobCaller): Promise<Result> {
    signal?.throwIfAborted();
    await this.#turn(tenant, signal);
    const startedMs = Date.now();
    try {
      return await this.#perform(job, signal);
    } finally {
      this.#busy--;
      this.#queue.end(tenant, Math.max(1, Date.now() - startedMs));
      this.#serve();
    }
  }

  async #turn(tenant: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#busy < this.#options.threads && this.#mayBegin(tenant)) {
      this.#busy++;
      this.#queue.begin(tenant);
      return;
    }
    if (!this.#hasPlaceFor(tenant)) throw new TooBusy();
    const wanted = { workspaceId: tenant, deadlineMs: Number.POSITIVE_INFINITY };
    const { maxWaitSeconds = MAX_WAIT_SECONDS } = this.#options;
    await this.#queue.wait(wanted, maxWaitSeconds * 1000, () => new TooBusy(), signal);
  }

  #serve(): void {
    const begin = () => {
      this.#busy++;
      return null;
    };
    while (this.#busy < this.#options.threads && this.#queue.serve(begin, (tenant) => this.#mayBegin(tenant)));
  }

  #mayBegin(tenant: string): boolean {
    const { threads, threadsPerTenant = threads } = this.#options;
    return this.#queue.turnsOf(tenant) < threadsPerTenant;
  }

  #hasPlaceFor(tenant: string): boolean {
    const free = MAX_WAITING - this.#queue.length;
    const own = this.#queue.lengthOf(tenant);
    return own === 0 ? free > 0 : free > 1 && own < MAX_WAITING / 2;
  }

  async #perform(job: Job, signal: AbortSignal | undefined): Promise<Result> {
    const { areKept, seconds, heapMb } = this.#options;
    const worker = this.#taken() ?? (await this.#started());
    const { promise, resolve, reject } = Promise.withResolvers<Outcome<Result>>();
    const stop = new AbortController();
    void timeOver(worker, seconds * 1000, stop.signal).then((isOver) => isOver && reject(new ThreadStopped('time')));
    void heapOver(worker, heapMb, stop.signal).then((isOver) => isOver && reject(new ThreadStopped('memory')));
    const leave = () => reject(signal!.reason);
    const fail = (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadStopped('memory', { cause: error }) : error);
    const exit = (code: number) => reject(new Error(`The thread ${this.#options.name} ended with ${code}.`));
    worker.once('message', resolve).once('error', fail).once('exit', exit);
    signal?.addEventListener('abort', leave, { once: true });
    let isSound = false;
    try {
      signal?.throwIfAborted();
      worker.postMessage(job);
      const outcome = await promise;
      if ('fault' in outcome) throw new Error(outcome.fault);
      isSound = true;
      return outcome.result;
    } finally {
      stop.abort();
      worker.off('message', resolve).off('error', fail).off('exit', exit);
      signal?.removeEventListener('abort', leave);
      if (isSound && areKept) this.#keep(worker);
      // The memory of a thread is free before the next one starts.
      else await worker.terminate();
    }
  }

  async #started(): Promise<Worker> {
    const { module, name, heapMb } = this.#options;
    const worker = new Worker(new URL(module), {
      workerData: { thread: name },
      // Flags of the process, --eval among them, are not for this module.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_STRETCH * heapMb },
    });
    // A process may end while a thread waits for work.
    worker.unref();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    worker.once('message', () => resolve()).once('error', reject);
    await promise;
    worker.off('error', reject);
    return worker;
  }

  #taken(): Worker | undefined {
    const idle = this.#idle.pop();
    clearTimeout(idle?.ending);
    return idle?.worker;
  }

  #keep(worker: Worker): void {
    const forget = () => {
      const at = this.#idle.findIndex((idle) => idle.worker === worker);
      if (at >= 0) clearTimeout(this.#idle.splice(at, 1)[0]!.ending);
    };
    // It may also end by itself: another job starts a new one.
    if (worker.listenerCount('error') === 0) worker.on('error', forget);
    const ending = setTimeout(() => {
      forget();
      void worker.terminate();
    }, IDLE_MS);
    ending.unref();
    this.#idle.push({ worker, ending });
  }
}

interface IdleThread {
  readonly worker: Worker;
  readonly ending: NodeJS.Timeout;
}

/**
 * Waits until a thread has used its processor time. A thread in native code does not answer: the clock then decides.
 * @returns false once `signal` is aborted
 */
async function timeOver(worker: Worker, limitMs: number, signal: AbortSignal): Promise<boolean> {
  const untilMs = Date.now() + limitMs * MAX_STRETCH;
  let leftMs = limitMs;
  try {
    const begun = await usedMs(worker);
    while (leftMs > 0 && Date.now() < untilMs) {
      await sleep(Math.min(leftMs, untilMs - Date.now()), undefined, { signal, ref: false });
      const used = await Promise.race([usedMs(worker), sleep(untilMs - Date.now(), null, { signal, ref: false })]);
      leftMs = used === null ? 0 : Math.ceil(limitMs - (used - begun));
    }
    return true;
  } catch {
    // Aborted, or the thread is gone, whose end is reported by its event.
    return false;
  }
}

/** Waits until a thread's heap is larger. @returns false once `signal` is aborted */
async function heapOver(worker: Worker, heapMb: number, signal: AbortSignal): Promise<boolean> {
  try {
    for (;;) {
      await sleep(HEAP_CHECK_MS, undefined, { signal, ref: false });
      const { used_heap_size: usedBytes } = await worker.getHeapStatistics();
      if (signal.aborted) return false;
      if (usedBytes > heapMb * 2 ** 20) return true;
    }
  } catch {
    return false;
  }
}

async function usedMs(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Serves jobs, if this is a thread of that name. The work answers with what can be cloned, its refusals included.
 * @param prepare loads what every job needs, before the first one's time starts.
 */
export function serveThread<Job>(
  name: string,
  work: (job: Job) => unknown,
  prepare: () => Promise<unknown> = async () => undefined,
): void {
  const given = workerData as { readonly thread?: unknown } | null;
  if (isMainThread || given?.thread !== name) return;
  parentPort!.on('message', async (job: Job) => {
    try {
      parentPort!.postMessage({ result: await work(job) });
    } catch (error) {
      parentPort!.postMessage({ fault: (error as Error).stack ?? String(error) });
    }
  });
  // One that cannot be prepared ends the thread, and the job that it was started for.
  void prepare().then(() => parentPort!.postMessage('ready'));
}
