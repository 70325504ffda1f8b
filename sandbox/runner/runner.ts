import { randomUUID } from 'node:crypto';
import type { Run, RunOutcome } from '../../functions/sandbox/domain/run.ts';
import type { Confinement } from './confinement.ts';
import type { Command, Language } from './installed-languages.ts';
import { type Launch, type LaunchResult, launch } from './launch.ts';
import { RunDirectory } from './run-directory.ts';

/** The language is not installed here. */
export class LanguageMissing extends Error {
  override name = 'LanguageMissing';
}

const MOST_MESSAGE_CHARACTERS = 4_000;

/**
 * Runs one program to its end and removes every trace of it.
 * @throws LanguageMissing, LaunchFailed; an AbortError when `signal` ended it.
 */
export async function runProgram(
  run: Run,
  languages: readonly Language[],
  confinement: Confinement,
  signal?: AbortSignal,
): Promise<RunOutcome> {
  const language = languages.find(({ name }) => name === run.language);
  if (language === undefined) throw new LanguageMissing(`${run.language} is not installed on this runner.`);
  const uid = confinement.nextUid();
  const directory = await RunDirectory.make(
    { parent: confinement.directory, name: randomUUID(), uid, leaksToPublic: !confinement.landlock },
    { [language.file]: run.code },
  );
  try {
    return await new Steps(run, language, { confinement, uid, directory, ...(signal && { signal }) }).outcome();
  } finally {
    await directory.remove();
  }
}

/** The steps of one run share its directory, its user and its time. */
class Steps {
  readonly #run: Run;
  readonly #language: Language;
  readonly #place: Pick<Launch, 'confinement' | 'uid' | 'directory' | 'signal'>;
  #seconds = 0;

  constructor(run: Run, language: Language, place: Pick<Launch, 'confinement' | 'uid' | 'directory' | 'signal'>) {
    this.#run = run;
    this.#language = language;
    this.#place = place;
  }

  async outcome(): Promise<RunOutcome> {
    const { before, afterFailure } = this.#language;
    for (const command of before) {
      const step = await this.#launch(command, '', {});
      if (step.ended !== null) return this.#told(step);
      if (step.exitCode !== 0) return this.#invalid(step);
    }
    const result = await this.#launch(this.#language.run(this.#run.resources), this.#run.stdin, this.#run.environment);
    if (result.ended === null && result.exitCode !== 0 && afterFailure?.words.test(result.stderr)) {
      const secondsOfRun = this.#seconds;
      const check = await this.#launch(afterFailure.check, '', {});
      if (check.ended === null && check.exitCode !== 0) return this.#invalid(check);
      this.#seconds = secondsOfRun;
    }
    return this.#told(result);
  }

  async #launch(command: Command, stdin: string, environment: Run['environment']): Promise<LaunchResult> {
    const { timeoutSeconds, resources } = this.#run;
    const { directory } = this.#place;
    const result = await launch({
      ...this.#place,
      command,
      readable: this.#language.readable,
      environment: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: directory.path,
        TMPDIR: directory.path,
        LANG: 'C.UTF-8',
        ...this.#language.environment,
        ...environment,
      },
      stdin,
      timeoutMs: Math.max(0, (timeoutSeconds - this.#seconds) * 1000),
      resources,
      reservedMb: this.#language.reservedMb,
    });
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
