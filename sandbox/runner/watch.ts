import type { Resources } from '../../functions/sandbox/domain/run.ts';
import { processUsage } from './process-usage.ts';
import type { RunDirectory } from './run-directory.ts';

export interface Watched {
  readonly launcherPid: number;
  readonly directory: RunDirectory;
  readonly resources: Resources;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** To the launcher. */
  send(signal: 'SIGTERM' | 'SIGUSR1' | 'SIGUSR2'): void;
}

/** Why the runner ended a run. */
export type EndedFor = 'timeout' | 'cancelled' | 'limit';

const MOST_ENTRIES = 10_000;
export const MOST_PROCESSES = 64;
const LOOK_EVERY_MS = 100;
/** A look that says "more" weighs so much against those before: a moment of more is no matter. */
const WEIGHT_OF_A_LOOK = 0.4;
const MUCH_MORE_PROCESSORS = 0.5;
/** Looks that wait for one exact count of the memory. */
const MOST_UNANSWERED = 10;
const MB = 1024 * 1024;

/** Holds a run to what the kernel does not: time, memory of all processes together, processors, disk. */
export class Watch {
  ended: EndedFor | null = null;
  /** What it used more of than it may. */
  excess: string | null = null;
  readonly #watched: Watched;
  readonly #timers: NodeJS.Timeout[];
  readonly #cancel = () => this.#stop('cancelled');
  readonly #processors = new ProcessorsInUse();
  #unanswered = 0;

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#timers = [
      setTimeout(() => this.#stop('timeout'), watched.timeoutMs),
      setInterval(() => this.#look(), LOOK_EVERY_MS),
    ];
    watched.signal?.addEventListener('abort', this.#cancel);
    if (watched.signal?.aborted) this.#cancel();
  }

  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#watched.signal?.removeEventListener('abort', this.#cancel);
  }

  /** The exact count that was asked for. */
  tellMemory(bytes: number): void {
    this.#unanswered = 0;
    if (bytes > this.#watched.resources.memoryMb * MB) this.#exceedMemory();
  }

  #look(): void {
    const { launcherPid, directory, resources } = this.#watched;
    const { processes, mostResidentBytes, ...use } = processUsage(launcherPid);
    const { bytes, entries } = directory.usage(MOST_ENTRIES);
    if (mostResidentBytes > resources.memoryMb * MB) this.#suspectMemory(processes);
    if (bytes > resources.diskMb * MB) this.#exceed(`out of disk space, more than ${resources.diskMb} MB were written`);
    else if (entries > MOST_ENTRIES) this.#exceed(`more than ${MOST_ENTRIES} files were made`);
    else if (processes > MOST_PROCESSES) this.#exceed(`more than ${MOST_PROCESSES} processes were started`);
    if (this.#processors.look(use) > resources.cpu + MUCH_MORE_PROCESSORS) this.#watched.send('SIGUSR1');
  }

  /** To count what is shared once costs milliseconds: it is done when it matters. Without an answer the run is ended. */
  #suspectMemory(processes: number): void {
    if (processes === 1 || this.#unanswered >= MOST_UNANSWERED) this.#exceedMemory();
    else if (this.#unanswered++ === 0) this.#watched.send('SIGUSR2');
  }

  #exceedMemory(): void {
    this.#exceed(`out of memory, more than ${this.#watched.resources.memoryMb} MB were in use`);
  }

  #exceed(excess: string): void {
    if (this.ended === null) this.excess = excess;
    this.#stop('limit');
  }

  #stop(reason: EndedFor): void {
    this.ended ??= reason;
    this.#watched.send('SIGTERM');
  }
}

/**
 * How many processors a run has used of late. Time that was used is not all: of short processes that nobody waits for
 * the kernel forgets it; but then there are more that want to run.
 */
class ProcessorsInUse {
  #average = 0;
  #lastMs = performance.now();
  #lastCpuSeconds = 0;

  look({ cpuSeconds, runnable }: { readonly cpuSeconds: number; readonly runnable: number }): number {
    const nowMs = performance.now();
    const used = ((cpuSeconds - this.#lastCpuSeconds) * 1000) / Math.max(1, nowMs - this.#lastMs);
    this.#average += (Math.max(used, runnable) - this.#average) * WEIGHT_OF_A_LOOK;
    this.#lastMs = nowMs;
    this.#lastCpuSeconds = cpuSeconds;
    return this.#average;
  }
}
