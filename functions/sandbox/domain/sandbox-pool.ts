import type { LanguageName, Run, RunOutcome } from './run.ts';

export interface AvailableLanguage {
  readonly name: LanguageName;
  readonly version: string;
  /** Packages that programs can import in addition to the standard library. */
  readonly packages?: readonly { readonly name: string; readonly version: string }[];
  /** True while a part of it is being made, for which runs wait. */
  readonly preparing?: boolean;
}

/** No program can be run now; `message` is for the client. */
export class SandboxUnavailable extends Error {
  override name = 'SandboxUnavailable';
  readonly retryAfterSeconds: number;

  constructor(message: string, { retryAfterSeconds = 1, ...options }: SandboxUnavailableOptions = {}) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface SandboxUnavailableOptions extends ErrorOptions {
  readonly retryAfterSeconds?: number;
}

/** Owner of a program, and the signal that aborts it. */
export interface RunCaller {
  /** A runner may know programs of one workspace only. */
  readonly workspaceId: string;
  /** No client waits for it: it leaves runners to the programs for which one does. */
  readonly isBackground?: boolean;
  /** Bytes of other programs that the caller holds until this one has run; absent: none. */
  readonly bytesWithIt?: number;
  /** Epoch time at which the caller ends: the program must have ended by then. Absent: it does not wait in line. */
  readonly untilMs?: number;
  /** Ends the program when it is aborted; `run` then fails. */
  readonly signal?: AbortSignal;
  /** Gets the start of what the program prints, as it comes. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', text: string) => void;
  /** Called when a runner has accepted the program. */
  readonly onBegun?: () => void;
}

/** Warm runners that wait for work. */
export interface SandboxPool {
  /** Available languages, by name. @throws SandboxUnavailable */
  languages(): Promise<readonly AvailableLanguage[]>;
  /**
   * Runs a program once, or not at all: a run that has started is never started again. An outcome that says why it failed is
   * an outcome too. @throws SandboxUnavailable when it has not started; anything else when it was lost on the way.
   */
  run(run: Run, caller: RunCaller): Promise<RunOutcome>;
}

/** The sessions that runners keep. */
export interface KeptSessions {
  /** Ends the interpreters that are kept for a session. @returns whether there was any */
  endSessions(workspaceId: string, sessionId: string): Promise<boolean>;
}
