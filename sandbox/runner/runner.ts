import { setTimeout as sleep } from 'node:timers/promises';
import type { Run, RunOutcome } from '../../functions/sandbox/domain/run.ts';
import type { Confinement } from './confinement.ts';
import type { Command, Language } from './installed-languages.ts';
import { type LaunchInput, type LaunchResult, launch } from './launch.ts';
import { PrestartedInterpreter } from './prestarted-interpreter.ts';
import { PrestartedInterpreters } from './prestarted-interpreters.ts';
import { programEnvironment } from './program-environment.ts';
import { RunDirectory } from './run-directory.ts';

/** The language is not installed here. */
export class LanguageMissing extends Error {
  override name = 'LanguageMissing';
}

export interface ProgramRunnerOptions {
  readonly prestarts: boolean;
  /** Called when something of a run cannot be removed: other programs should not find it. */
  readonly onLeftover: (error: Error) => void;
}

/** The language is being prepared, and the run's time-out does not allow it to wait any longer. */
export class LanguagePreparing extends Error {
  override name = 'LanguagePreparing';
}

/** Part of its time-out that a run may wait for its language; the rest is for the program. */
const MAX_PREPARATION_SHARE = 0.5;
/** Time that a run may lose to what the one before has left. */
const MAX_REMOVAL_WAIT_MS = 2_000;
const MAX_MESSAGE_CHARACTERS = 4_000;

/** Runs programs. A language that was used once is likely to be used again: its interpreter is pre-started. */
export class ProgramRunner {
  readonly #languages: () => readonly Language[];
  readonly #confinement: Confinement;
  readonly #interpreters: PrestartedInterpreters;
  readonly #onLeftover: (error: Error) => void;
  #removal: Promise<unknown> = Promise.resolve();

  constructor(languages: () => readonly Language[], confinement: Confinement, options: ProgramRunnerOptions) {
    this.#languages = languages;
    this.#confinement = confinement;
    this.#interpreters = new PrestartedInterpreters(confinement);
    this.#onLeftover = options.onLeftover;
    if (!options.prestarts) void this.#interpreters.release();
  }

  /** Pre-starts the interpreters of these languages, as far as they are installed. */
  prewarm(names: readonly string[]): void {
    for (const language of this.#languages()) if (names.includes(language.name)) this.#interpreters.prewarm(language);
  }

  /**
   * Runs one program to its end. The removal of what it has left can take longer than this: the next run
   * waits for it, though not for long.
   * @throws LanguageMissing, LanguagePreparing, LaunchFailed; an AbortError when `signal` ended it.
   */
  async run(request: Run, signal?: AbortSignal): Promise<RunOutcome> {
    const { language, waitedSeconds } = await this.#prepared(request, signal);
    const run = { ...request, timeoutSeconds: request.timeoutSeconds - waitedSeconds };
    await Promise.race([this.#removal, sleep(MAX_REMOVAL_WAIT_MS, undefined, { ref: false })]);
    const interpreter = PrestartedInterpreter.fits(run, language) ? await this.#interpreters.acquire(language) : null;
    const directory =
      interpreter?.directory ?? (await RunDirectory.make(this.#confinement, { [language.file]: run.code }));
    try {
      const place = { confinement: this.#confinement, directory, ...(signal && { signal }) };
      return await new Steps(run, language, place, interpreter).outcome();
    } finally {
      this.#removal = Promise.all([this.#removal, directory.remove().catch(this.#onLeftover)]);
      this.#interpreters.prewarm(language);
    }
  }

  async #prepared(run: Run, signal?: AbortSignal): Promise<{ language: Language; waitedSeconds: number }> {
    const sinceMs = performance.now();
    const { preparation } = this.#language(run);
    if (preparation === undefined) return { language: this.#language(run), waitedSeconds: 0 };
    const waiting = new AbortController();
    const isLate = await Promise.race([
      preparation.then(
        () => false,
        () => false,
      ),
      sleep(run.timeoutSeconds * 1000 * MAX_PREPARATION_SHARE, true, {
        signal: AbortSignal.any([waiting.signal, ...(signal ? [signal] : [])]),
      }),
    ]).finally(() => waiting.abort());
    if (isLate) throw new LanguagePreparing(`${run.language} is still being prepared on this runner.`);
    // It is missing now if it could not be prepared.
    return { language: this.#language(run), waitedSeconds: (performance.now() - sinceMs) / 1000 };
  }

  #language({ language: wanted }: Run): Language {
    const language = this.#languages().find(({ name }) => name === wanted);
    if (language === undefined) throw new LanguageMissing(`${wanted} is not installed on this runner.`);
    return language;
  }

  /** Ends the interpreters that wait, when the last run has been cleaned up. */
  async release(): Promise<void> {
    await this.#removal;
    await this.#interpreters.release();
  }
}

interface Place {
  readonly confinement: Confinement;
  readonly directory: RunDirectory;
  readonly signal?: AbortSignal;
}

/** The steps of one run share its directory, its user and its time. */
class Steps {
  readonly #run: Run;
  readonly #language: Language;
  readonly #place: Place;
  readonly #interpreter: PrestartedInterpreter | null;
  #seconds = 0;

  constructor(run: Run, language: Language, place: Place, interpreter: PrestartedInterpreter | null) {
    this.#run = run;
    this.#language = language;
    this.#place = place;
    this.#interpreter = interpreter;
  }

  async outcome(): Promise<RunOutcome> {
    const { check: checkOf, afterFailure } = this.#language;
    const checkBefore = checkOf?.(this.#run.code) ?? null;
    if (checkBefore !== null) {
      const check = await this.#timed(this.#launch(checkBefore, '', {}));
      if (check.ended !== null) return this.#finished(check);
      if (check.exitCode !== 0) return this.#invalid(check);
    }
    const result = await this.#timed(this.#interpreter === null ? this.#start() : this.#continue(this.#interpreter));
    if (result.ended === null && result.isPreparing) return this.#invalid(result);
    if (
      result.ended === null &&
      result.exitCode !== 0 &&
      afterFailure?.words.some((words) => result.stderr.includes(words))
    ) {
      const secondsOfRun = this.#seconds;
      const check = await this.#timed(this.#checkSyntax(afterFailure.check));
      if (check.ended === null && check.exitCode !== 0) return this.#invalid(check);
      this.#seconds = secondsOfRun;
    }
    return this.#finished(result);
  }

  #start(): Promise<LaunchResult> {
    const { resources, stdin, environment } = this.#run;
    return this.#launch(this.#language.run(resources), stdin, environment, { preparing: this.#language.preparing });
  }

  #continue(interpreter: PrestartedInterpreter): Promise<LaunchResult> {
    return interpreter.run(this.#run.code, this.#input(this.#run.stdin));
  }

  /** In a directory of its own: the program may have left anything in the place of its file, a pipe without a writer too. */
  async #checkSyntax(command: Command): Promise<LaunchResult> {
    const directory = await RunDirectory.make(this.#place.confinement, { [this.#language.file]: this.#run.code });
    try {
      const result = await this.#launch(command, '', {}, { directory });
      return {
        ...result,
        stderr: withoutPath(result.stderr, directory),
        stdout: withoutPath(result.stdout, directory),
      };
    } finally {
      await directory.remove();
    }
  }

  #launch(
    command: Command,
    stdin: string,
    environment: Run['environment'],
    {
      directory = this.#place.directory,
      preparing = [],
    }: { readonly directory?: RunDirectory; readonly preparing?: readonly Command[] } = {},
  ): Promise<LaunchResult> {
    const { confinement } = this.#place;
    return launch({
      confinement,
      directory,
      command,
      preparing,
      readable: this.#language.readable,
      environment: programEnvironment(this.#language, directory, environment),
      resources: this.#run.resources,
      reservedMb: this.#language.reservedMb,
      ...this.#input(stdin),
    });
  }

  #input(stdin: string): LaunchInput {
    const { signal } = this.#place;
    const timeoutMs = Math.max(0, (this.#run.timeoutSeconds - this.#seconds) * 1000);
    return { stdin, timeoutMs, ...(signal && { signal }) };
  }

  async #timed(step: Promise<LaunchResult>): Promise<LaunchResult> {
    const result = await step;
    this.#seconds += result.seconds;
    this.#place.signal?.throwIfAborted();
    return result;
  }

  #finished({ stdout, stderr, exitCode, ended }: LaunchResult): RunOutcome {
    const seconds = this.#seconds;
    if (ended === 'timeout') return { kind: 'timed_out', stdout, stderr, seconds };
    return { kind: 'finished', stdout, stderr, exitCode, seconds };
  }

  #invalid({ stdout, stderr }: LaunchResult): RunOutcome {
    const { explain = (text: string) => text } = this.#language;
    const message = explain(withoutPath(stderr.trim() || stdout.trim(), this.#place.directory));
    return { kind: 'invalid_syntax', message: message.slice(0, MAX_MESSAGE_CHARACTERS), seconds: this.#seconds };
  }
}

function withoutPath(text: string, { path }: RunDirectory): string {
  return text.replaceAll(`${path}/`, '');
}
