import { type ChildProcess, fork } from 'node:child_process';
import { DrugMasterMissing } from '../../../extraction/domain/master/drug-master-source.ts';
import type { Judgement } from '../../../extraction/domain/page-judge.ts';
import { ImageRefused } from '../../../extraction/domain/reading/image-refused.ts';
import { ReaderUnavailable } from '../../../extraction/domain/reading/reader-unavailable.ts';
import { largeStep } from '../../../shared/large-steps.ts';
import { TIME_USED_UP } from './processor-limit.ts';
import type { PageToJudge, ReaderMessage, ReaderWorkerOptions } from './reader-messages.ts';

/** Loading the models takes about a second on an idle machine. */
const START_SECONDS = 60;

export interface ReaderProcessOptions extends ReaderWorkerOptions {
  /** After a page that left the process larger than this, it is replaced. */
  readonly maxMemoryMegabytes: number;
}

/** A reader process ended, or was ended, before the page was read. The next page is read by a new one. */
export class ReaderStopped extends ReaderUnavailable {
  override name = 'ReaderStopped';
}

/** One child process that reads and judges pages, one at a time. It keeps the parent alive only while it does. */
export class ReaderProcess {
  readonly #options: ReaderProcessOptions;
  readonly #child: ChildProcess;
  readonly #started: Promise<void>;
  #usable = true;
  #waiting: PromiseWithResolvers<ReaderMessage> | null = null;

  constructor(options: ReaderProcessOptions) {
    this.#options = options;
    const { ocrDirectory, threads, reader, bedrockModel, drugMaster, formularies } = options;
    const worker: ReaderWorkerOptions = { ocrDirectory, threads, reader, bedrockModel, drugMaster, formularies };
    this.#child = fork(new URL('./reader-worker.ts', import.meta.url), [JSON.stringify(worker)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child.on('message', (message) => this.#settle(message as ReaderMessage));
    this.#child.once('error', (error) => this.#stop(`could not be run (${error.message})`));
    this.#child.once('exit', (code, signal) => this.#stop(endOf(code, signal)));
    this.#started = this.#start();
    this.#started.catch(() => undefined);
  }

  /** False once it has ended, or should not be given another page. */
  get usable(): boolean {
    return this.#usable;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves when the models are loaded. @throws Error when they cannot be, ReaderStopped. */
  started(): Promise<void> {
    return this.#started;
  }

  /**
   * @param seconds a page that takes longer is given up, and this process with it.
   * @throws ImageRefused, ReaderUnavailable, ReaderStopped, DrugMasterMissing
   */
  async judge(page: PageToJudge, seconds: number): Promise<Judgement> {
    await this.#started;
    const answer = this.#next(seconds, `took longer than ${Number(seconds.toFixed(2))} s`);
    void largeStep(page.image.byteLength, page.workspaceId ?? '', () => this.#send(page));
    const message = await answer;
    if (message.kind !== 'page')
      throw new ReaderStopped(`The reader process said ${message.kind} instead of what became of the page.`);
    const { outcome, memoryMegabytes } = message;
    // A page that was refused can have filled the memory as well, and a failed one can have broken the decoder.
    if (memoryMegabytes > this.#options.maxMemoryMegabytes || outcome.kind === 'failed') this.stop();
    switch (outcome.kind) {
      case 'judged':
        return outcome.judgement;
      case 'refused':
        throw new ImageRefused(outcome.refusal, outcome.message);
      case 'unavailable':
        throw new ReaderUnavailable(outcome.message, outcome);
      case 'master_missing':
        throw new DrugMasterMissing(outcome.message);
      case 'failed':
        throw new Error(`The page could not be read: ${outcome.message}`);
    }
  }

  /** Ends it at once, even while it is reading. */
  stop(): void {
    this.#stop('was stopped');
  }

  #send(page: PageToJudge): void {
    if (this.#usable) this.#child.send(page, (error) => error && this.#stop(`could not be reached (${error.message})`));
  }

  async #start(): Promise<void> {
    const message = await this.#next(START_SECONDS, `did not start within ${START_SECONDS} s`);
    if (message.kind !== 'cannot_start') return;
    this.stop();
    throw new Error(`The reader cannot start: ${message.message}`);
  }

  /** The next message of the child; one is awaited at a time. */
  async #next(seconds: number, late: string): Promise<ReaderMessage> {
    if (!this.#usable) throw stopped('has ended');
    const timer = setTimeout(() => this.#stop(late), seconds * 1000);
    this.#child.ref();
    this.#child.channel?.ref();
    this.#waiting = Promise.withResolvers();
    try {
      return await this.#waiting.promise;
    } finally {
      clearTimeout(timer);
      this.#child.unref();
      this.#child.channel?.unref();
    }
  }

  #settle(message: ReaderMessage): void {
    this.#waiting?.resolve(message);
    this.#waiting = null;
  }

  #stop(why: string): void {
    this.#usable = false;
    this.#child.kill('SIGKILL');
    this.#waiting?.reject(stopped(why));
    this.#waiting = null;
  }
}

function endOf(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === TIME_USED_UP) return 'used more than its time of the processor';
  return `ended (${signal ?? `exit code ${code}`})`;
}

function stopped(why: string): ReaderStopped {
  return new ReaderStopped(`The process that read the page ${why}; the page was not read. It can be sent again.`);
}
