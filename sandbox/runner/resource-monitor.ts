import type { Resources } from '../../functions/sandbox/domain/run.ts';
import { processUsage } from './process-usage.ts';
import type { RunDirectory } from './run-directory.ts';

export interface MonitoredRun {
  readonly launcherPid: number;
  readonly directory: RunDirectory;
  readonly resources: Resources;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Signals the launcher. */
  signalLauncher(signal: 'SIGTERM' | 'SIGUSR1' | 'SIGUSR2'): void;
}

/** Why the runner ended a run. */
export type EndedFor = 'timeout' | 'cancelled' | 'limit';

const MAX_ENTRIES = 10_000;
export const MAX_PROCESSES = 64;
const POLL_INTERVAL_MS = 100;
/** Weight of one sample in the moving average: a moment of more is tolerated. */
const SAMPLE_WEIGHT = 0.4;
const CPU_TOLERANCE = 0.5;
/** Samples during which one exact count of the memory may be outstanding. */
const MAX_UNANSWERED_SAMPLES = 10;
const MB = 1024 * 1024;

/** Enforces the limits that the kernel does not: time, memory of all processes together, processors, disk. */
export class ResourceMonitor {
  ended: EndedFor | null = null;
  /** The limit that it exceeded, in words for the user. */
  excess: string | null = null;
  readonly #run: MonitoredRun;
  readonly #timers: NodeJS.Timeout[];
  readonly #cancel = () => this.#stop('cancelled');
  readonly #cpu = new CpuUsage();
  #unanswered = 0;

  constructor(run: MonitoredRun) {
    this.#run = run;
    this.#timers = [
      setTimeout(() => this.#stop('timeout'), run.timeoutMs),
      setInterval(() => this.#sample(), POLL_INTERVAL_MS),
    ];
    run.signal?.addEventListener('abort', this.#cancel);
    if (run.signal?.aborted) this.#cancel();
  }

  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#run.signal?.removeEventListener('abort', this.#cancel);
  }

  /** Receives the exact count that the launcher was asked for. */
  recordMemory(bytes: number): void {
    this.#unanswered = 0;
    if (bytes > this.#run.resources.memoryMb * MB) this.#exceedMemory();
  }

  #sample(): void {
    const { launcherPid, directory, resources } = this.#run;
    const { processes, maxResidentBytes, ...use } = processUsage(launcherPid);
    const { bytes, entries } = directory.usage(MAX_ENTRIES);
    if (maxResidentBytes > resources.memoryMb * MB) this.#checkMemory(processes);
    if (bytes > resources.diskMb * MB) this.#exceed(`out of disk space, more than ${resources.diskMb} MB were written`);
    else if (entries > MAX_ENTRIES) this.#exceed(`more than ${MAX_ENTRIES} files were made`);
    else if (processes > MAX_PROCESSES) this.#exceed(`more than ${MAX_PROCESSES} processes were started`);
    if (this.#cpu.add(use) > resources.cpu + CPU_TOLERANCE) this.#run.signalLauncher('SIGUSR1');
  }

  /** An exact count takes milliseconds, so it is made only when the estimate is too high. Without one the run is ended. */
  #checkMemory(processes: number): void {
    if (processes === 1 || this.#unanswered >= MAX_UNANSWERED_SAMPLES) this.#exceedMemory();
    else if (this.#unanswered++ === 0) this.#run.signalLauncher('SIGUSR2');
  }

  #exceedMemory(): void {
    this.#exceed(`out of memory, more than ${this.#run.resources.memoryMb} MB were in use`);
  }

  #exceed(excess: string): void {
    if (this.ended === null) this.excess = excess;
    this.#stop('limit');
  }

  #stop(reason: EndedFor): void {
    this.ended ??= reason;
    this.#run.signalLauncher('SIGTERM');
  }
}

/**
 * Moving average of the processors in use. Used time alone is too low where short processes are never waited for, since
 * the kernel forgets theirs; the number of runnable processes covers that case.
 */
class CpuUsage {
  #average = 0;
  #lastMs = performance.now();
  #lastCpuSeconds = 0;

  add({ cpuSeconds, runnable }: { readonly cpuSeconds: number; readonly runnable: number }): number {
    const nowMs = performance.now();
    const used = ((cpuSeconds - this.#lastCpuSeconds) * 1000) / Math.max(1, nowMs - this.#lastMs);
    this.#average += (Math.max(used, runnable) - this.#average) * SAMPLE_WEIGHT;
    this.#lastMs = nowMs;
    this.#lastCpuSeconds = cpuSeconds;
    return this.#average;
  }
}
