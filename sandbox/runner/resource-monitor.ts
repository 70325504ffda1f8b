import type { Resources, RunLimit } from '../../functions/sandbox/domain/run.ts';
import { type DiskSpace, difference, freeSpace, usedSpace } from './disk-space.ts';
import {
  type Excess,
  excessOf,
  MAX_FILES,
  outOfDisk,
  outOfMemory,
  parseHeldResources,
  SOCKET_BYTES,
  tooManyFiles,
} from './held-resources.ts';
import { type ProcessUsage, processUsage, sharedMemoryOfMachine } from './process-usage.ts';

export interface MonitoredRun {
  readonly launcherPid: number;
  readonly disk: WatchedDisk;
  readonly resources: Resources;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Processes of it that the kernel has ended, because together they held too much memory. */
  kernelKills(): number;
  /** Signals the launcher. */
  signalLauncher(signal: 'SIGTERM' | 'SIGTSTP' | 'SIGUSR1' | 'SIGUSR2'): void;
}

/** Where a run can write. */
export type WatchedDisk =
  /** To a file system that no other run has: in use is what the run uses. Null: there is none yet. */
  | { readonly kind: 'own'; directory(): string | null }
  /** To some that nothing else writes to, where so much was free when they were empty. */
  | { readonly kind: 'empty'; readonly directories: readonly string[]; readonly freeWhenEmpty: DiskSpace }
  /** To file systems that others use too: their free space shows when to count, and bounds what cannot be counted. */
  | { readonly kind: 'shared'; readonly directories: readonly string[] };

/** Why the runner ended a run. */
export type EndedFor = 'timeout' | 'cancelled' | 'limit';

export const MAX_PROCESSES = 64;
const POLL_INTERVAL_MS = 100;
/** A count by the launcher takes a millisecond of a processor: it is made so often, or when something grows fast. */
const COUNT_INTERVAL_MS = 500;
/** Part of a limit by which something may grow before the next count. */
const MAX_GROWTH = 0.25;
/** Polls after which a count that has not come makes the run end. */
const MAX_UNANSWERED_POLLS = 100;
/** Weight of one sample in the moving average: a moment of more is tolerated. */
const SAMPLE_WEIGHT = 0.4;
const CPU_TOLERANCE = 0.5;
/** Processor time between two calls after which a session ends: halted processes need none, and only timers resume them. */
const MAX_HALTED_CPU_SECONDS = 0.2;
const MB = 1024 * 1024;
/** No processor fills a disk faster. */
const MAX_BYTES_A_MS = 3 * MB;
const MIN_DISK_INTERVAL_MS = 2;
/** The largest there is where it is not known. */
const PAGE_BYTES = process.arch === 'x64' ? 4096 : 65_536;

/**
 * Enforces the limits that the kernel does not: time, total memory, processors, disk. It reads little and never walks a tree, so that its
 * timers are punctual: the launcher counts in a separate process.
 */
export class ResourceMonitor {
  ended: EndedFor | null = null;
  /** The limit that it exceeded, in words for the user. */
  excess: string | null = null;
  limit: Exclude<RunLimit, 'time'> | null = null;
  cpuSeconds = 0;
  memoryPeakBytes = 0;
  readonly #run: MonitoredRun;
  readonly #timers: NodeJS.Timeout[];
  #diskTimer: NodeJS.Timeout | undefined;
  readonly #freeAtStart: DiskSpace;
  readonly #sharedMemoryAtStart = sharedMemoryOfMachine();
  readonly #cancel = () => this.#stop('cancelled');
  readonly #cpu = new CpuUsage();
  #unanswered = 0;
  #isPaused = false;
  /** Processor time up to the end of the last call; null: a call is under way. */
  #haltedAtCpuSeconds: number | null = null;
  #touchedBytes = 0;
  #last: {
    readonly atMs: number;
    readonly touchedBytes: number;
    readonly descriptors: number;
    readonly free: DiskSpace;
  };

  constructor(run: MonitoredRun) {
    this.#run = run;
    this.#freeAtStart = this.#free();
    this.#last = { atMs: performance.now(), touchedBytes: 0, descriptors: 0, free: this.#freeAtStart };
    this.#timers = [
      setTimeout(() => this.#stop('timeout'), run.timeoutMs),
      setInterval(() => this.#sample(), POLL_INTERVAL_MS),
    ];
    this.#watchDisk();
    run.signal?.addEventListener('abort', this.#cancel);
    if (run.signal?.aborted) this.#cancel();
  }

  end(): void {
    for (const timer of [...this.#timers, this.#diskTimer]) clearTimeout(timer);
    this.#run.signal?.removeEventListener('abort', this.#cancel);
  }

  /** @param areFrozen whether nothing can resume the halted processes: then nothing grows. */
  halted(areFrozen: boolean): void {
    // The launcher ends a count before it halts them.
    this.#unanswered = 0;
    this.#isPaused = areFrozen;
    this.#look();
    this.#haltedAtCpuSeconds = this.cpuSeconds;
  }

  goOn(): void {
    this.#isPaused = false;
    this.#haltedAtCpuSeconds = null;
  }

  /** Takes a sample of the usage so far. */
  lookAgain(): Pick<ResourceMonitor, 'cpuSeconds' | 'memoryPeakBytes'> {
    this.#look();
    return this;
  }

  /** Receives the count that the launcher was asked for. */
  record(line: string): void {
    this.#unanswered = 0;
    const held = parseHeldResources(line);
    const { kind } = this.#run.disk;
    const sharedGrowthBytes = sharedMemoryOfMachine() - this.#sharedMemoryAtStart;
    const excess = excessOf(
      held,
      {
        touchedBytes: this.#touchedBytes,
        // Files in memory are shared memory too.
        sharedGrowthBytes: kind === 'shared' ? sharedGrowthBytes : sharedGrowthBytes - held.diskBytes,
        spaceGoneBytes: difference(this.#freeAtStart, this.#free()).bytes,
      },
      this.#run.resources,
    );
    if (excess !== null) this.exceed(excess);
  }

  #look(): ProcessUsage {
    const use = processUsage(this.#run.launcherPid);
    this.#touchedBytes = use.pageFaults * PAGE_BYTES;
    this.cpuSeconds = Math.max(this.cpuSeconds, use.cpuSeconds);
    this.memoryPeakBytes = Math.max(this.memoryPeakBytes, use.maxMappedBytes);
    return use;
  }

  #sample(): void {
    if (this.#isPaused) return;
    const { resources } = this.#run;
    const use = this.#look();
    const isOverMemory = use.maxMappedBytes > resources.memoryMb * MB;
    if (this.#run.kernelKills() > 0 || (isOverMemory && use.processes === 1)) this.exceed(outOfMemory(resources));
    else if (use.processes > MAX_PROCESSES) this.exceed(tooManyProcesses());
    else if (this.#unanswered > 0) this.#wait();
    else this.#countIfNeeded(use, isOverMemory);
    if (this.#haltedAtCpuSeconds !== null) this.#keepHalted(use, this.#haltedAtCpuSeconds);
    else if (this.#cpu.add(use) > resources.cpu + CPU_TOLERANCE) this.#run.signalLauncher('SIGUSR1');
  }

  /** Halts processes again that a timer has resumed; a first thread that has ended hides others that compute. */
  #keepHalted({ awake }: ProcessUsage, haltedAtCpuSeconds: number): void {
    const computed = this.cpuSeconds - haltedAtCpuSeconds;
    if (awake > 0 || computed > 0) this.#run.signalLauncher('SIGTSTP');
    if (computed > MAX_HALTED_CPU_SECONDS) this.exceed({ limit: null, words: 'it computed between its calls' });
  }

  #countIfNeeded({ descriptors }: ProcessUsage, isOverMemory: boolean): void {
    const { memoryMb, diskMb } = this.#run.resources;
    const now = { atMs: performance.now(), touchedBytes: this.#touchedBytes, descriptors, free: this.#free() };
    const last = this.#last;
    const buffers = (now.descriptors - last.descriptors) * SOCKET_BYTES;
    const gone = difference(last.free, now.free);
    const isNeeded =
      isOverMemory ||
      now.atMs - last.atMs >= COUNT_INTERVAL_MS ||
      Math.max(now.touchedBytes - last.touchedBytes, buffers) > memoryMb * MB * MAX_GROWTH ||
      gone.bytes > diskMb * MB * MAX_GROWTH ||
      gone.files > MAX_FILES * MAX_GROWTH;
    if (!isNeeded) return;
    this.#last = now;
    this.#unanswered = 1;
    this.#run.signalLauncher('SIGUSR2');
  }

  /** Often enough that nothing can fill the disk between two samples. */
  #watchDisk(): void {
    if (this.#isPaused) {
      this.#diskTimer = setTimeout(() => this.#watchDisk(), POLL_INTERVAL_MS);
      return;
    }
    const { disk, resources } = this.#run;
    const limitBytes = resources.diskMb * MB;
    const used = this.#used();
    let leftBytes = limitBytes - used.bytes;
    if (disk.kind === 'shared') {
      // Others may have used it: then it is counted, and all is well.
      const gone = difference(this.#last.free, this.#free());
      leftBytes = limitBytes * MAX_GROWTH - gone.bytes;
      if (leftBytes < 0) this.#sample();
    } else if (leftBytes < 0) this.exceed(outOfDisk(resources));
    else if (used.files > MAX_FILES) this.exceed(tooManyFiles());
    const waitMs = Math.min(POLL_INTERVAL_MS, Math.max(MIN_DISK_INTERVAL_MS, leftBytes / MAX_BYTES_A_MS));
    this.#diskTimer = setTimeout(() => this.#watchDisk(), waitMs);
  }

  #used(): DiskSpace {
    const { disk } = this.#run;
    if (disk.kind === 'shared') return { bytes: 0, files: 0 };
    if (disk.kind === 'empty') return difference(disk.freeWhenEmpty, freeSpace(disk.directories));
    const directory = disk.directory();
    return directory === null ? { bytes: 0, files: 0 } : usedSpace(directory);
  }

  #free(): DiskSpace {
    const { disk } = this.#run;
    return disk.kind === 'shared' ? freeSpace(disk.directories) : { bytes: 0, files: 0 };
  }

  #wait(): void {
    this.#unanswered += 1;
    // A launcher that has not reaped its last counter yet, or could not fork one, drops a request; while it counts, it ignores this.
    this.#run.signalLauncher('SIGUSR2');
    if (this.#unanswered > MAX_UNANSWERED_POLLS)
      this.exceed({ limit: null, words: 'its memory and files could not be counted' });
  }

  /** Ends the run for a limit, unless it is being ended for something else. */
  exceed({ limit, words }: Excess): void {
    if (this.ended === null) {
      this.excess = words;
      this.limit = limit;
    }
    this.#stop('limit');
  }

  #stop(reason: EndedFor): void {
    this.ended ??= reason;
    this.#run.signalLauncher('SIGTERM');
  }
}

const tooManyProcesses = (): Excess => ({
  limit: 'processes',
  words: `more than ${MAX_PROCESSES} processes were started`,
});

/**
 * Moving average of the processors in use. Used time alone is too low where short processes are never waited for, since
 * the kernel forgets theirs; the number of runnable processes covers that case.
 */
class CpuUsage {
  #average = 0;
  #lastMs = performance.now();
  #lastCpuSeconds = 0;

  add({ cpuSeconds, runnable }: Pick<ProcessUsage, 'cpuSeconds' | 'runnable'>): number {
    const nowMs = performance.now();
    const used = ((cpuSeconds - this.#lastCpuSeconds) * 1000) / Math.max(1, nowMs - this.#lastMs);
    this.#average += (Math.max(used, runnable) - this.#average) * SAMPLE_WEIGHT;
    this.#lastMs = nowMs;
    this.#lastCpuSeconds = cpuSeconds;
    return this.#average;
  }
}
