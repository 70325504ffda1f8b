import { type ChildProcess, fork } from 'node:child_process';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { type ImageRefusal, ImageRefused } from '../../extraction/domain/reading/image-refused.ts';
import type { PageReading, TableReader } from '../../extraction/domain/reading/table-reader.ts';

export interface ReaderRequest {
  readonly id: number;
  readonly image: Uint8Array;
}

export type ReaderResponse =
  | { readonly id: number; readonly reading: PageReading }
  | { readonly id: number; readonly refusal: ImageRefusal; readonly message: string }
  | { readonly id: number; readonly failure: string };

export interface ReaderProcessOptions {
  /** Folder of the recogniser's model. */
  readonly ocrFolder: string;
  /** Pages read at the same time; each process has a copy of the model and about 0.5 GB at its peak. */
  readonly processes: number;
  /** After this a page is given up and its process replaced. */
  readonly deadlineMs: number;
}

interface Job {
  readonly image: Uint8Array;
  readonly resolve: (reading: PageReading) => void;
  readonly reject: (error: Error) => void;
}

/** Lower than the gateway's: a page may wait, a balance may not. */
const PRIORITY = 10;

/**
 * The embedded reader in processes of its own, so that reading never holds up the event loop that answers requests, and a
 * crash of native code costs one page and not the service. Pages wait their turn in order.
 */
export class ReaderProcessPool implements TableReader {
  readonly #options: ReaderProcessOptions;
  readonly #idle: ReaderProcess[] = [];
  readonly #waiting: Job[] = [];
  #running = 0;
  #closed = false;

  constructor(options: ReaderProcessOptions) {
    this.#options = options;
  }

  /** Starts one process ahead of the first page. */
  warm(): void {
    if (this.#running === 0) this.#start();
  }

  read(image: Uint8Array): Promise<PageReading> {
    if (this.#closed) return Promise.reject(new Error('The reader is closed'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ image, resolve, reject });
      if (this.#idle.length === 0 && this.#running < this.#options.processes) this.#start();
      this.#next();
    });
  }

  /** Ends the processes; pages that wait or are being read fail. */
  close(): void {
    this.#closed = true;
    for (const job of this.#waiting.splice(0)) job.reject(new Error('The reader is closed'));
    for (const reader of this.#idle.splice(0)) reader.end();
  }

  #start(): void {
    this.#running++;
    this.#idle.push(new ReaderProcess(this.#options));
  }

  #next(): void {
    const reader = this.#idle.find((candidate) => candidate.alive);
    for (const dead of this.#idle.filter((candidate) => !candidate.alive)) this.#drop(dead);
    const job = reader ? this.#waiting.shift() : undefined;
    if (!reader || !job) {
      if (this.#waiting.length > 0 && this.#running < this.#options.processes && !this.#closed) {
        this.#start();
        this.#next();
      }
      return;
    }
    this.#idle.splice(this.#idle.indexOf(reader), 1);
    reader
      .read(job.image)
      .then(job.resolve, job.reject)
      .finally(() => {
        if (reader.alive && !this.#closed) this.#idle.push(reader);
        else {
          reader.end();
          this.#running--;
        }
        this.#next();
      });
  }

  #drop(reader: ReaderProcess): void {
    this.#idle.splice(this.#idle.indexOf(reader), 1);
    this.#running--;
  }
}

class ReaderProcess {
  readonly #child: ChildProcess;
  readonly #deadlineMs: number;
  alive = true;
  #next = 1;
  #settle: ((response: ReaderResponse | Error) => void) | null = null;

  constructor({ ocrFolder, deadlineMs, processes }: ReaderProcessOptions) {
    this.#deadlineMs = deadlineMs;
    const threads = Math.max(1, Math.floor(os.availableParallelism() / processes));
    // The ending is ours: .ts when started from the sources, .mjs from a bundle.
    const program = fileURLToPath(import.meta.url).replace(/reader-process(\.\w+)$/, 'reader-worker$1');
    this.#child = fork(program, [ocrFolder, String(threads)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child.unref();
    this.#child.channel?.unref();
    if (this.#child.pid !== undefined) lowerPriority(this.#child.pid);
    this.#child.on('message', (response: ReaderResponse) => this.#settle?.(response));
    const gone = (reason: string) => {
      this.alive = false;
      this.#settle?.(new Error(`The reader process ${reason} while it read a page`));
    };
    this.#child.on('error', (error) => gone(`failed (${error.message})`));
    this.#child.on('exit', (code, signal) => gone(`ended (${signal ?? code})`));
  }

  async read(image: Uint8Array): Promise<PageReading> {
    const id = this.#next++;
    const response = await new Promise<ReaderResponse | Error>((resolve) => {
      const timer = setTimeout(() => {
        this.end();
        resolve(new Error(`The page was given up after ${this.#deadlineMs} ms`));
      }, this.#deadlineMs);
      this.#settle = (answer) => {
        clearTimeout(timer);
        resolve(answer);
      };
      this.#child.send({ id, image } satisfies ReaderRequest, (error) => {
        if (error) this.#settle?.(error);
      });
    });
    this.#settle = null;
    if (response instanceof Error) throw response;
    if ('reading' in response) return response.reading;
    if ('refusal' in response) throw new ImageRefused(response.refusal, response.message);
    throw new Error(`Reading failed: ${response.failure}`);
  }

  end(): void {
    this.alive = false;
    this.#child.kill('SIGKILL');
  }
}

function lowerPriority(pid: number): void {
  try {
    os.setPriority(pid, PRIORITY);
  } catch {
    // The process is gone, or the system forbids it: reading works all the same.
  }
}
