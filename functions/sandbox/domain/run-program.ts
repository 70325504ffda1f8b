import type { HiddenText } from './execute-once.ts';
import type { LanguageName, SentFile } from './run.ts';

/** Function that runs programs for other parts of the platform. */
export const RUN_PROGRAM = 'sandbox.run-program';

/** Its event. */
export interface ProgramToRun {
  readonly workspaceId: string;
  /** API key that it is counted for; null: none. */
  readonly keyId: string | null;
  readonly language: LanguageName | (string & {});
  readonly code: string;
  readonly stdin?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  /** Files that it finds; with them, if none, those that it leaves below `out/` are in the result. */
  readonly files?: readonly SentFile[];
  /** A second event with it runs nothing: its result is that of the first. */
  readonly onceKey?: string;
  /** Texts that its output must not have, as it is stored for a second event. */
  readonly hidden?: readonly HiddenText[];
}

/** Its result. */
export interface ProgramResult {
  readonly stdout: string;
  readonly stderr: string;
  /** -1: it ran out of time, or the execution itself failed. */
  readonly exitCode: number;
  readonly seconds: number;
  /** Where files were sent. */
  readonly files?: readonly LinkedFile[];
}

/** A file that a program has left. */
export interface LinkedFile {
  readonly path: string;
  readonly size: number;
  readonly mediaType: string;
  /** Valid for an hour. */
  readonly url: string;
}
