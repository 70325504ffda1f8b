import type { Run, RunOutcome } from '../../functions/sandbox/domain/run.ts';
import type { Confinement } from './confinement.ts';
import type { Command, Language } from './installed-languages.ts';
import { type Given, type LaunchResult, launch } from './launch.ts';
import { programEnvironment } from './program-environment.ts';
import { RunDirectory } from './run-directory.ts';
import { WaitingProgram } from './waiting-program.ts';
import { WaitingPrograms } from './waiting-programs.ts';

/** The language is not installed here. */
export class LanguageMissing extends Error {
  override name = 'LanguageMissing';
}

const MOST_MESSAGE_CHARACTERS = 4_000;

/** Runs programs for a dispatcher. What a language has been used for once is likely to be wanted again: one is made ready. */
export class ProgramRunner {
  readonly #languages: () => readonly Language[];
  readonly #confinement: Confinement;
  readonly #waiting: WaitingPrograms;

  constructor(languages: () => readonly Language[], confinement: Confinement, { startsAhead = true } = {}) {
    this.#languages = languages;
    this.#confinement = confinement;
    this.#waiting = new WaitingPrograms(confinement);
    if (!startsAhead) void this.#waiting.release();
  }

  /** Has these languages ready for their first use, as far as they can be. */
  expect(names: readonly string[]): void {
    for (const language of this.#languages()) if (names.includes(language.name)) this.#waiting.expect(language);
  }

  /**
   * Runs one program to its end and removes every trace of it.
   * @throws LanguageMissing, LaunchFailed; an AbortError when `signal` ended it.
   */
  async run(run: Run, signal?: AbortSignal): Promise<RunOutcome> {
    const language = this.#languages().find(({ name }) => name === run.language);
    if (language === undefined) throw new LanguageMissing(`${run.language} is not installed on this runner.`);
    const waiting = WaitingProgram.fits(run, language) ? await this.#waiting.take(language) : null;
    const directory = waiting?.directory ?? (await RunDirectory.make(this.#confinement, { [language.file]: run.code }));
    try {
      const place = { confinement: this.#confinement, directory, ...(signal && { signal }) };
      return await new Steps(run, language, place, waiting).outcome();
    } finally {
      await directory.remove();
      this.#waiting.expect(language);
    }
  }

  /** Nothing waits any more. */
  async release(): Promise<void> {
    await this.#waiting.release();
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
  readonly #waiting: WaitingProgram | null;
  #seconds = 0;

  constructor(run: Run, language: Language, place: Place, waiting: WaitingProgram | null) {
    this.#run = run;
    this.#language = language;
    this.#place = place;
    this.#waiting = waiting;
  }

  async outcome(): Promise<RunOutcome> {
    const { before, afterFailure } = this.#language;
    for (const command of before) {
      const step = await this.#counted(this.#launch(command, '', {}));
      if (step.ended !== null) return this.#told(step);
      if (step.exitCode !== 0) return this.#invalid(step);
    }
    const result = await this.#counted(this.#waiting === null ? this.#start() : this.#goOn(this.#waiting));
    if (result.ended === null && result.exitCode !== 0 && afterFailure?.words.test(result.stderr)) {
      const secondsOfRun = this.#seconds;
      const check = await this.#counted(this.#launch(afterFailure.check, '', {}));
      if (check.ended === null && check.exitCode !== 0) return this.#invalid(check);
      this.#seconds = secondsOfRun;
    }
    return this.#told(result);
  }

  #start(): Promise<LaunchResult> {
    const { resources, stdin, environment } = this.#run;
    return this.#launch(this.#language.run(resources), stdin, environment);
  }

  #goOn(waiting: WaitingProgram): Promise<LaunchResult> {
    return waiting.run(this.#run.code, this.#given(this.#run.stdin));
  }

  #launch(command: Command, stdin: string, environment: Run['environment']): Promise<LaunchResult> {
    const { confinement, directory } = this.#place;
    return launch({
      confinement,
      directory,
      command,
      readable: this.#language.readable,
      environment: programEnvironment(this.#language, directory, environment),
      resources: this.#run.resources,
      reservedMb: this.#language.reservedMb,
      ...this.#given(stdin),
    });
  }

  #given(stdin: string): Given {
    const { signal } = this.#place;
    const timeoutMs = Math.max(0, (this.#run.timeoutSeconds - this.#seconds) * 1000);
    return { stdin, timeoutMs, ...(signal && { signal }) };
  }

  async #counted(step: Promise<LaunchResult>): Promise<LaunchResult> {
    const result = await step;
    this.#seconds += result.seconds;
    this.#place.signal?.throwIfAborted();
    return result;
  }

  #told({ stdout, stderr, exitCode, ended }: LaunchResult): RunOutcome {
    const seconds = this.#seconds;
    if (ended === 'timeout') return { kind: 'timed_out', stdout, stderr, seconds };
    return { kind: 'finished', stdout, stderr, exitCode, seconds };
  }

  #invalid({ stdout, stderr }: LaunchResult): RunOutcome {
    const said = (stderr.trim() || stdout.trim()).replaceAll(`${this.#place.directory.path}/`, '');
    return { kind: 'invalid_syntax', message: said.slice(0, MOST_MESSAGE_CHARACTERS), seconds: this.#seconds };
  }
}
