import type { Judgement, JudgeOptions, PageJudge } from '../../../extraction/domain/page-judge.ts';
import { ReaderUnavailable } from '../../../extraction/domain/reading/reader-unavailable.ts';
import type { Template } from '../../../extraction/domain/reading/template.ts';
import { FairQueue } from '../../shared/fair-queue.ts';
import type { Wanted } from '../../shared/wanted.ts';
import { Admission } from './admission.ts';
import { ReaderProcess, type ReaderProcessOptions, ReaderStopped } from './reader-process.ts';
import { ServiceTime } from './service-time.ts';

export interface ReaderPoolOptions extends ReaderProcessOptions {
  /** Pages that are read at the same time. */
  readonly processes: number;
  /** Pages that may wait; each holds its image in memory. One workspace gets half of the places, and never the last one twice. */
  readonly maxWaiting: number;
  /** Processor time of a page; one that uses more is given up, and the process with it. */
  readonly pageSeconds: number;
}

export type Reader = Pick<ReaderProcess, 'usable' | 'pid' | 'started' | 'judge' | 'stop'>;
type StartReader = (options: ReaderProcessOptions) => Reader;

/** Longest time of a page, in units of its processor time: beyond it the machine is not busy, but something waits for ever. */
const MAX_SLOWDOWN = 8;

/**
 * Reads and judges in separate processes, which never hold up the caller's event loop; a page that crashes native code, or never ends,
 * affects only itself. Processes start on demand. Workspaces share them fairly, and the pages of one workspace wait by deadline: its
 * single calls, which end soon, go before its batches. A page that would finish too late is refused at once, with a Retry-After that holds;
 * one whose deadline comes while it is read is given up, since its client is answered then.
 */
export class ReaderPool implements PageJudge {
  readonly #options: ReaderPoolOptions;
  readonly #start: StartReader;
  readonly #processes = new Set<Reader>();
  readonly #idle: Reader[] = [];
  readonly #busySinceMs = new Map<Reader, number>();
  readonly #forecast = new ServiceTime();
  readonly #waiting = new FairQueue<Reader>(() => this.#pageMs());
  readonly #admission: Admission;
  #closed = false;

  /** @param start starts a process. */
  constructor(options: ReaderPoolOptions, start: StartReader = (own) => new ReaderProcess(own)) {
    this.#options = options;
    this.#start = start;
    this.#admission = new Admission({
      queue: this.#waiting,
      forecast: this.#forecast,
      busySinceMs: () => this.#readers(),
      maxWaiting: options.maxWaiting,
    });
  }

  get processIds(): readonly number[] {
    return [...this.#processes].flatMap(({ usable, pid }) => (usable && pid !== undefined ? [pid] : []));
  }

  /** Starts a first process ahead of the first page. @throws ReaderStopped, or Error when the model cannot be loaded. */
  async warm(): Promise<void> {
    if (this.#closed) throw ending();
    const process = this.#idleProcess() ?? this.#newProcess();
    if (process === undefined) return;
    this.#busySinceMs.set(process, Date.now());
    try {
      await process.started();
    } finally {
      this.#give(process);
    }
  }

  async judge(image: Uint8Array, template: Template, options: JudgeOptions): Promise<Judgement> {
    const { deadlineMs = Number.POSITIVE_INFINITY, workspaceId = '', today, serviceDate, explained, page } = options;
    const { pageSeconds } = this.#options;
    const wanted = { deadlineMs, workspaceId };
    const process = await this.#take(wanted);
    const startedMs = Date.now();
    // Timers leave out parts of a millisecond.
    const untilDeadlineSeconds = (Math.max(0, deadlineMs - startedMs) + 1) / 1000;
    try {
      const judgement = await process.judge(
        {
          ...{ image, template, today, serviceDate, explained, page, workspaceId: options.workspaceId },
          processorSeconds: pageSeconds,
        },
        Math.min(pageSeconds * MAX_SLOWDOWN, untilDeadlineSeconds),
      );
      this.#forecast.learn(Date.now() - startedMs);
      return judgement;
    } catch (error) {
      if (!(error instanceof ReaderStopped) || Date.now() < deadlineMs) throw error;
      // It would have taken even longer.
      this.#forecast.learn(Date.now() - startedMs);
      throw this.#tooManyPages(wanted);
    } finally {
      this.#waiting.end(workspaceId, Date.now() - startedMs);
      this.#give(process);
    }
  }

  /** Ends all processes; pages that are being read or wait are rejected with ReaderStopped. */
  close(): void {
    this.#closed = true;
    this.#waiting.dissolve(ending);
    for (const process of this.#processes) process.stop();
  }

  async #take(wanted: Wanted): Promise<Reader> {
    if (this.#closed) throw ending();
    if (wanted.deadlineMs <= Date.now())
      throw new ReaderUnavailable('The time for this page was over before its reading started. Send it again.');
    const free = this.#idleProcess() ?? this.#newProcess();
    if (free === undefined) return await this.#turn(wanted);
    this.#waiting.begin(wanted.workspaceId);
    return this.#busy(free);
  }

  #idleProcess(): Reader | undefined {
    for (let process = this.#idle.pop(); process; process = this.#idle.pop()) {
      if (process.usable) return process;
      this.#processes.delete(process);
    }
    return undefined;
  }

  #newProcess(): Reader | undefined {
    if (this.#processes.size >= this.#options.processes) return undefined;
    const process = this.#start(this.#options);
    this.#processes.add(process);
    return process;
  }

  /** @throws ReaderUnavailable when it would come too late, or the workspace has its share of the places. */
  #turn(wanted: Wanted): Promise<Reader> {
    const nowMs = Date.now();
    const retryAfterSeconds = this.#admission.refusal(wanted, nowMs);
    if (retryAfterSeconds !== null) throw tooManyPages(retryAfterSeconds);
    const giveUpMs = wanted.deadlineMs - nowMs - this.#pageMs();
    return this.#waiting.wait(wanted, giveUpMs, () => this.#tooManyPages(wanted));
  }

  #tooManyPages(wanted: Wanted): ReaderUnavailable {
    return tooManyPages(this.#admission.retryAfterSeconds(wanted, Date.now()));
  }

  /** When each reader started its page; one that is about to be given on is free as of now. */
  #readers(): readonly number[] {
    return this.#busySinceMs.size > 0 ? [...this.#busySinceMs.values()] : [Date.now()];
  }

  #pageMs(): number {
    return this.#forecast.pageMs(Date.now(), [...this.#busySinceMs.values()]);
  }

  #busy(process: Reader): Reader {
    this.#busySinceMs.set(process, Date.now());
    return process;
  }

  /** A process that ended makes room: who waits gets a new one. */
  #give(process: Reader): void {
    this.#busySinceMs.delete(process);
    if (!process.usable) this.#processes.delete(process);
    const free = process.usable ? process : undefined;
    this.#dismissLate();
    const served = this.#waiting.serve(() => this.#busy(free ?? this.#newProcess()!));
    if (!served && free) this.#idle.push(free);
  }

  /** Rejects the pages that can no longer be read in time: pages take longer than when these were admitted. */
  #dismissLate(): void {
    const nowMs = Date.now();
    // The reader that is about to be given on is free as of now.
    const readers = [nowMs - this.#pageMs(), ...this.#busySinceMs.values()];
    this.#waiting.reconsider((ahead, deadlineMs) => this.#forecast.doneAtMs(nowMs, ahead, readers) > deadlineMs);
  }
}

function ending(): ReaderStopped {
  return new ReaderStopped('The service is ending; no more pages are read.');
}

function tooManyPages(retryAfterSeconds: number): ReaderUnavailable {
  return new ReaderUnavailable('Too many pages are being read to read this one in time. Send it again later.', {
    retryAfterSeconds,
  });
}
