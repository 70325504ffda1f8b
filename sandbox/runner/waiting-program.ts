import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_RESOURCES, type Run } from '../../functions/sandbox/domain/run.ts';
import type { Confinement } from './confinement.ts';
import type { Language } from './installed-languages.ts';
import { type Given, Launched, type LaunchResult } from './launch.ts';
import { programEnvironment } from './program-environment.ts';
import { RunDirectory } from './run-directory.ts';

/** An interpreter that is not at its pipe by then will never be. */
const LONGEST_START_MS = 10_000;
const LOOK_AGAIN_MS = 2;

/**
 * An interpreter that has been started before there is a program, confined like any other run and by the launcher as well.
 * It has everything that it needs but the program: where the file should be it has found a named pipe, and waits for words.
 * The file is then put in the place of the pipe, and the same words are written to the pipe. It takes one program.
 */
export class WaitingProgram {
  readonly directory: RunDirectory;
  readonly #file: string;
  readonly #launched: Launched;
  #pipe: Socket | null = null;

  private constructor(directory: RunDirectory, file: string, launched: Launched) {
    this.directory = directory;
    this.#file = file;
    this.#launched = launched;
  }

  /** Null when it did not come so far; then nothing of it is left. */
  static async start(language: Language, confinement: Confinement): Promise<WaitingProgram | null> {
    const command = language.ahead?.command(DEFAULT_RESOURCES);
    if (command === undefined) return null;
    const directory = await RunDirectory.make(confinement);
    const launched = new Launched({
      confinement,
      directory,
      command,
      readable: language.readable,
      environment: programEnvironment(language, directory, {}),
      resources: DEFAULT_RESOURCES,
      reservedMb: language.reservedMb,
      pipe: language.file,
    });
    const program = new WaitingProgram(directory, language.file, launched);
    try {
      program.#pipe = await pipeTo(join(directory.path, language.file), launched);
    } finally {
      if (program.#pipe === null) await program.discard();
    }
    return program.#pipe === null ? null : program;
  }

  /** Whether it can still be given a program. */
  isThere(): boolean {
    return this.#pipe !== null && !this.#launched.isOver();
  }

  /** What it has is for `run`, with nothing that had to be known before. */
  static fits({ environment, resources, code }: Run, { ahead }: Language): boolean {
    if (ahead === undefined || ahead.unfit?.test(code) || Object.keys(environment).length > 0) return false;
    const { cpu, memoryMb, diskMb } = DEFAULT_RESOURCES;
    return resources.cpu === cpu && resources.memoryMb === memoryMb && resources.diskMb === diskMb;
  }

  /** The whole life of the program; the directory stays. @throws LaunchFailed */
  async run(code: string, given: Given): Promise<LaunchResult> {
    try {
      this.directory.replace(this.#file, code);
    } catch (error) {
      await this.#launched.end();
      throw error;
    }
    this.#pipe?.end(code);
    this.#pipe = null;
    return this.#launched.result(given);
  }

  /** Ends it, and leaves nothing of it. */
  async discard(): Promise<void> {
    await this.#launched.end();
    this.#pipe?.destroy();
    this.#pipe = null;
    await this.directory.remove();
  }
}

/** The end of the pipe that is written to, as soon as somebody reads at the other. */
async function pipeTo(path: string, launched: Launched): Promise<Socket | null> {
  for (let waitedMs = 0; waitedMs < LONGEST_START_MS && !launched.isOver(); waitedMs += LOOK_AGAIN_MS) {
    const pipe = opened(path);
    if (pipe !== null) return pipe;
    await sleep(LOOK_AGAIN_MS);
  }
  return null;
}

function opened(path: string): Socket | null {
  try {
    const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    // A program that ends early need not read what it is given.
    return new Socket({ fd, readable: false, writable: true }).on('error', () => undefined);
  } catch (error) {
    // There is no pipe yet, or nobody reads.
    if (['ENOENT', 'ENXIO'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
