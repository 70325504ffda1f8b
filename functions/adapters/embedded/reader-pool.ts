import type { PageReading, TableReader } from '../../extraction/domain/reading/table-reader.ts';
import { ReaderProcess, type ReaderProcessOptions, ReaderStopped } from './reader-process.ts';

export interface ReaderPoolOptions extends ReaderProcessOptions {
  /** Pages that are read at the same time. */
  readonly processes: number;
}

/**
 * The embedded reader in processes of its own: reading never holds up the caller's event loop, and a page that crashes
 * native code, or never ends, costs that page alone. Processes start when they are needed; pages wait their turn.
 */
export class ReaderPool implements TableReader {
  readonly #options: ReaderPoolOptions;
  readonly #processes = new Set<ReaderProcess>();
  readonly #idle: ReaderProcess[] = [];
  readonly #waiting: PromiseWithResolvers<ReaderProcess>[] = [];
  #closed = false;

  constructor(options: ReaderPoolOptions) {
    this.#options = options;
  }

  get processIds(): readonly number[] {
    return [...this.#processes].flatMap(({ usable, pid }) => (usable && pid !== undefined ? [pid] : []));
  }

  /** Starts a first process ahead of the first page. @throws ReaderStopped when it cannot start. */
  async warm(): Promise<void> {
    const process = await this.#take();
    try {
      await process.started();
    } finally {
      this.#give(process);
    }
  }

  /** @throws ImageRefused, ReaderStopped */
  async read(image: Uint8Array): Promise<PageReading> {
    const process = await this.#take();
    try {
      return await process.read(image);
    } finally {
      this.#give(process);
    }
  }

  /** Ends all processes; pages that are being read or wait are rejected with ReaderStopped. */
  close(): void {
    this.#closed = true;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(ending());
    for (const process of this.#processes) process.stop();
  }

  async #take(): Promise<ReaderProcess> {
    if (this.#closed) throw ending();
    for (let process = this.#idle.pop(); process; process = this.#idle.pop()) {
      if (process.usable) return process;
      this.#processes.delete(process);
    }
    if (this.#processes.size < this.#options.processes) return this.#start();
    const turn = Promise.withResolvers<ReaderProcess>();
    this.#waiting.push(turn);
    return turn.promise;
  }

  /** A process that ended makes room: who waits gets a new one. */
  #give(process: ReaderProcess): void {
    if (!process.usable) this.#processes.delete(process);
    const next = this.#waiting.shift();
    if (next) next.resolve(process.usable ? process : this.#start());
    else if (process.usable) this.#idle.push(process);
  }

  #start(): ReaderProcess {
    const process = new ReaderProcess(this.#options);
    this.#processes.add(process);
    return process;
  }
}

function ending(): ReaderStopped {
  return new ReaderStopped('The service is ending; no more pages are read.');
}
