import type { Socket } from 'node:net';
import { DEFAULT_RESOURCES } from '../../functions/sandbox/domain/run.ts';
import type { Confinement } from './confinement.ts';
import type { Language } from './languages/language.ts';
import { LaunchedProcess, type LaunchInput, type LaunchResult } from './launch.ts';
import { pipeTo } from './named-pipe.ts';
import { placeFiles } from './place-files.ts';
import { programEnvironment } from './program-environment.ts';
import type { ReceivedRun } from './read-run.ts';
import { RunDirectory, replaceFile } from './run-directory.ts';

/**
 * An interpreter that was started before its program is known, confined by the launcher like any other run. It blocks on a
 * named pipe in the place of its source file. The file then replaces the pipe, and the same bytes are written to the pipe.
 * It runs one program.
 */
export class PrestartedInterpreter {
  readonly directory: RunDirectory;
  readonly #file: string;
  readonly #launched: LaunchedProcess;
  #pipe: Socket | null = null;

  private constructor(directory: RunDirectory, file: string, launched: LaunchedProcess) {
    this.directory = directory;
    this.#file = file;
    this.#launched = launched;
  }

  /** @returns null when it ended before it opened its pipe; then nothing of it is left. */
  static async start(language: Language, confinement: Confinement): Promise<PrestartedInterpreter | null> {
    const command = language.prestart?.command(DEFAULT_RESOURCES);
    if (command === undefined) return null;
    const directory = await RunDirectory.make(confinement);
    const launched = new LaunchedProcess({
      confinement,
      directory,
      command,
      readable: language.readable,
      environment: programEnvironment(language, directory, {}),
      resources: DEFAULT_RESOURCES,
      reservedMb: language.reservedMb,
      pipe: language.file,
      collects: true,
    });
    const program = new PrestartedInterpreter(directory, language.file, launched);
    try {
      program.#pipe = await pipeTo(language.file, launched);
    } finally {
      if (program.#pipe === null) await program.discard();
    }
    return program.#pipe === null ? null : program;
  }

  /** Whether it still waits for a program. */
  isWaiting(): boolean {
    return this.#pipe !== null && !this.#launched.hasEnded();
  }

  /** Whether `run` needs nothing that has to be known when the interpreter starts. */
  static fits(run: ReceivedRun, { prestart }: Language): boolean {
    const { environment, resources, code, main, arguments: parameters = [] } = run;
    if (prestart === undefined || prestart.isUnfit?.(code) || main !== undefined) return false;
    if (Object.keys(environment).length > 0 || parameters.length > 0) return false;
    const { cpu, memoryMb, diskMb } = DEFAULT_RESOURCES;
    return resources.cpu === cpu && resources.memoryMb === memoryMb && resources.diskMb === diskMb;
  }

  /** The whole life of the program; the directory stays. @throws LaunchFailed */
  async run({ code, files }: Pick<ReceivedRun, 'code' | 'files'>, input: LaunchInput): Promise<LaunchResult> {
    try {
      const directory = this.#launched.directory();
      if (directory === null) throw new Error('The interpreter has ended.');
      replaceFile(directory, this.#file, code);
      if (files !== undefined) placeFiles(directory, files, this.directory.uid);
    } catch (error) {
      await this.#launched.end();
      throw error;
    }
    this.#pipe?.end(code);
    this.#pipe = null;
    return this.#launched.result(input);
  }

  /** Ends it, and leaves nothing of it. */
  async discard(): Promise<void> {
    await this.#launched.end();
    this.#pipe?.destroy();
    this.#pipe = null;
    await this.directory.remove();
  }
}
