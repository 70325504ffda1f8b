import { setTimeout as sleep } from 'node:timers/promises';
import { keptSessionKey, type RunOutcome } from '../../functions/sandbox/domain/run.ts';
import type { Confinement } from './confinement.ts';
import { KeptInterpreter } from './kept-interpreter.ts';
import type { Command, Language } from './languages/language.ts';
import { type LaunchInput, type LaunchResult, launch, type OutputListener } from './launch.ts';
import { missingPackageHint, offlineHint } from './packages.ts';
import { type PlacedFile, placeFiles } from './place-files.ts';
import { PrestartedInterpreter } from './prestarted-interpreter.ts';
import { PrestartedInterpreters } from './prestarted-interpreters.ts';
import { programEnvironment } from './program-environment.ts';
import type { ReceivedRun } from './read-run.ts';
import { RunDirectory, withoutPath, withoutPathInStacks } from './run-directory.ts';

/** The language is not installed here. */
export class LanguageMissing extends Error {
  override name = 'LanguageMissing';
}

export interface ProgramRunnerOptions {
  readonly prestarts: boolean;
  /** Called when something of a run cannot be removed: other programs should not find it. */
  readonly onLeftover: (error: Error) => void;
  /** Called when the kept session has ended, by itself as well. */
  readonly onSessionEnd?: () => void;
}

interface KeptSession {
  readonly key: string;
  readonly interpreter: KeptInterpreter;
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
  readonly #onSessionEnd: () => void;
  #removal: Promise<unknown> = Promise.resolve();
  #kept: KeptSession | null = null;

  constructor(languages: () => readonly Language[], confinement: Confinement, options: ProgramRunnerOptions) {
    this.#languages = languages;
    this.#confinement = confinement;
    this.#interpreters = new PrestartedInterpreters(confinement);
    this.#onLeftover = options.onLeftover;
    this.#onSessionEnd = options.onSessionEnd ?? (() => undefined);
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
  async run(request: ReceivedRun, signal?: AbortSignal, onOutput?: OutputListener): Promise<RunOutcome> {
    const prepared = await this.#prepared(request, signal);
    return explained(await this.#run(request, prepared, signal, onOutput), prepared.language);
  }

  async #run(
    request: ReceivedRun,
    { language, waitedSeconds }: { readonly language: Language; readonly waitedSeconds: number },
    signal?: AbortSignal,
    onOutput?: OutputListener,
  ): Promise<RunOutcome> {
    if (request.keptSession !== undefined) return this.#callKept(request, language, signal, onOutput);
    const run = {
      ...request,
      timeoutSeconds: request.timeoutSeconds - waitedSeconds,
      environment: { ...(onOutput && language.streaming), ...request.environment },
    };
    await Promise.race([this.#removal, sleep(MAX_REMOVAL_WAIT_MS, undefined, { ref: false })]);
    const interpreter = PrestartedInterpreter.fits(run, language) ? await this.#interpreters.acquire(language) : null;
    const directory =
      interpreter?.directory ?? (await RunDirectory.make(this.#confinement, codeFile(run, language), run.files));
    try {
      const place = {
        confinement: this.#confinement,
        directory,
        ...(signal && { signal }),
        ...(onOutput && { onOutput }),
      };
      return await new Steps(run, language, place, interpreter).outcome();
    } finally {
      this.#removal = Promise.all([this.#removal, directory.remove().catch(this.#onLeftover)]);
      this.#interpreters.prewarm(language);
    }
  }

  /** A call of the session that this runner keeps, whose interpreter it starts when there is none. */
  async #callKept(
    run: ReceivedRun,
    language: Language,
    signal?: AbortSignal,
    onOutput?: OutputListener,
  ): Promise<RunOutcome> {
    const key = keptSessionKey(run);
    const isNew = this.#kept?.key !== key || this.#kept.interpreter.hasEnded;
    const { interpreter } = isNew || this.#kept === null ? await this.#keep(key, run, language) : this.#kept;
    const outcome = await interpreter.call(run, signal, onOutput);
    if (outcome.kind === 'invalid_syntax') return outcome;
    return { ...outcome, session: { isNew, isKept: !interpreter.hasEnded } };
  }

  async #keep(key: string, run: ReceivedRun, language: Language): Promise<KeptSession> {
    await this.endSession();
    const interpreter = await KeptInterpreter.start(language, this.#confinement, run);
    const removed = () => {
      if (this.#kept?.interpreter === interpreter) this.#kept = null;
      this.#removal = Promise.all([this.#removal, interpreter.directory.remove().catch(this.#onLeftover)]);
      this.#onSessionEnd();
    };
    interpreter.ended.then(removed, removed);
    this.#kept = { key, interpreter };
    return this.#kept;
  }

  /** Ends the session that is kept. */
  async endSession(): Promise<void> {
    const kept = this.#kept;
    kept?.interpreter.end();
    await kept?.interpreter.ended.catch(() => undefined);
  }

  async #prepared(run: ReceivedRun, signal?: AbortSignal): Promise<{ language: Language; waitedSeconds: number }> {
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

  #language({ language: wanted }: ReceivedRun): Language {
    const language = this.#languages().find(({ name }) => name === wanted);
    if (language === undefined) throw new LanguageMissing(`${wanted} is not installed on this runner.`);
    return language;
  }

  /** Ends the interpreters that wait, when the last run has been cleaned up. */
  async release(): Promise<void> {
    await this.endSession();
    await this.#removal;
    await this.#interpreters.release();
  }
}

/** Names files of packages as their authors do, and adds hints if a requested package is missing, or the network. */
function explained(outcome: RunOutcome, { name, packages = [], packagesFolder }: Language): RunOutcome {
  if (outcome.kind === 'invalid_syntax') return outcome;
  const stderr = packagesFolder === undefined ? outcome.stderr : withoutPath(outcome.stderr, { path: packagesFolder });
  if (outcome.kind !== 'finished' || outcome.exitCode === 0) return { ...outcome, stderr };
  const missing = HAS_PACKAGES.has(name) ? missingPackageHint(stderr, name, packages) : null;
  const hints = [missing, offlineHint(stderr)].filter((hint) => hint !== null);
  return { ...outcome, stderr: [stderr, ...hints.map((hint) => `${hint}\n`)].join('') };
}

const HAS_PACKAGES: ReadonlySet<Language['name']> = new Set(['javascript', 'python', 'typescript']);

interface Place {
  readonly confinement: Confinement;
  readonly directory: RunDirectory;
  readonly signal?: AbortSignal;
  readonly onOutput?: OutputListener;
}

/** None when one of the files is run in its place. */
function codeFile({ code, main }: ReceivedRun, { file }: Language): Readonly<Record<string, string>> {
  return main === undefined ? { [file]: code } : {};
}

/** The steps of one run share its directory, its user and its time. */
class Steps {
  readonly #run: ReceivedRun;
  readonly #language: Language;
  readonly #place: Place;
  readonly #interpreter: PrestartedInterpreter | null;
  readonly #main: string;
  #seconds = 0;

  constructor(run: ReceivedRun, language: Language, place: Place, interpreter: PrestartedInterpreter | null) {
    this.#run = run;
    this.#language = language;
    this.#place = place;
    this.#interpreter = interpreter;
    this.#main = run.main ?? language.file;
  }

  async outcome(): Promise<RunOutcome> {
    const { afterFailure } = this.#language;
    const result = await this.#timed(this.#interpreter === null ? this.#start() : this.#continue(this.#interpreter));
    if (result.ended === null && result.isPreparing) return this.#invalid(result);
    if (
      result.ended === null &&
      result.exitCode !== 0 &&
      afterFailure?.words.some((words) => result.stderr.includes(words))
    ) {
      const secondsOfRun = this.#seconds;
      const check = await this.#timed(this.#checkSyntax(afterFailure.check(this.#main)));
      if (check.ended === null && check.exitCode !== 0) return this.#invalid(check);
      this.#seconds = secondsOfRun;
    }
    return this.#finished(result);
  }

  #start(): Promise<LaunchResult> {
    const { resources, stdin, environment, arguments: parameters = [], files } = this.#run;
    const others = files?.map(({ path }) => path) ?? [];
    return this.#launch([...this.#language.run(resources, this.#main), ...parameters], stdin, environment, {
      preparing: this.#language.preparing(this.#main, others),
      isProgram: true,
    });
  }

  #continue(interpreter: PrestartedInterpreter): Promise<LaunchResult> {
    return interpreter.run(this.#run, { ...this.#input(this.#run.stdin), ...this.#listening() });
  }

  /** In a separate directory: the program may have replaced its file by anything, even by a pipe without a writer. */
  async #checkSyntax(command: Command): Promise<LaunchResult> {
    const main = this.#run.files?.filter(({ path }) => path === this.#main);
    const directory = await RunDirectory.make(this.#place.confinement, codeFile(this.#run, this.#language), main);
    try {
      const result = await this.#launch(command, '', {}, { directory, ...(main && { files: main }) });
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
    environment: ReceivedRun['environment'],
    {
      directory = this.#place.directory,
      preparing = [],
      files = this.#run.files,
      isProgram = false,
    }: {
      readonly directory?: RunDirectory;
      readonly preparing?: readonly Command[];
      readonly files?: readonly PlacedFile[];
      readonly isProgram?: boolean;
    } = {},
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
      collects: isProgram && files !== undefined,
      ...(files && { place: (place: string) => placeFiles(place, files, directory.uid) }),
      ...this.#input(stdin),
      ...(isProgram && this.#listening()),
    });
  }

  #listening(): Pick<LaunchInput, 'onOutput'> {
    const { onOutput } = this.#place;
    return onOutput === undefined ? {} : { onOutput };
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

  #finished({ stdout, stderr, exitCode, ended, outputs, used }: LaunchResult): RunOutcome {
    const { files, reportsUse = false } = this.#run;
    const traces = { ...(files !== undefined && { outputs }), ...(reportsUse && { used }) };
    const { directory } = this.#place;
    const ending = {
      stdout: withoutPathInStacks(stdout, directory),
      stderr: withoutPath(stderr, directory),
      seconds: this.#seconds,
      ...traces,
    };
    return ended === 'timeout' ? { kind: 'timed_out', ...ending } : { kind: 'finished', exitCode, ...ending };
  }

  #invalid({ stdout, stderr }: LaunchResult): RunOutcome {
    const { explain = (text: string) => text } = this.#language;
    const message = explain(withoutPath(stderr.trim() || stdout.trim(), this.#place.directory));
    return { kind: 'invalid_syntax', message: message.slice(0, MAX_MESSAGE_CHARACTERS), seconds: this.#seconds };
  }
}
