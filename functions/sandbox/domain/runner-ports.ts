import type { Run, RunOutcome } from './run.ts';
import type { AvailableLanguage, RunCaller } from './sandbox-pool.ts';

/** A program that runs programs, one at a time, as the registry knows it: only the runner itself knows for certain. */
export interface Runner {
  readonly id: string;
  /** `http://10.0.1.23:8080` */
  readonly url: string;
  /** The only workspace whose programs it runs; null: it has run none yet. */
  readonly workspaceId: string | null;
}

/** A runner, and the key of the session that it keeps. */
export interface KeptRunner extends Runner {
  readonly session: string;
}

/** Registry of runners. Updates are best effort: dispatch stays correct when one is lost. */
export interface RunnerRegistry {
  /** Runners that may run a program of the workspace: its own, and unassigned ones. @throws SandboxUnavailable */
  candidates(workspaceId: string): Promise<readonly Runner[]>;
  /** Languages that the runners have. @throws SandboxUnavailable when they are not known */
  languages(): Promise<readonly AvailableLanguage[]>;
  /** Records that the runner has accepted a program of the workspace. */
  markTaken(runner: Runner, workspaceId: string): Promise<void>;
  /** Records that the runner's program has ended. */
  markIdle(runner: Runner): Promise<void>;
  /** Records that the runner accepts no more programs, or does not answer. */
  markDraining(runner: Runner): Promise<void>;
  /** Runners that keep a session of the workspace. @throws SandboxUnavailable */
  keptBy(workspaceId: string): Promise<readonly KeptRunner[]>;
  /** Records that the runner keeps a session from now on, and is not a candidate any more. */
  markKept(runner: Runner, workspaceId: string, session: string): Promise<void>;
  /**
   * Resolves when there may be other candidates, and after `maxMs` at the latest.
   * @param turn of a program behind others in its line, which waits for nothing else; null: it is the first
   */
  waitForChange(maxMs: number, turn: Promise<void> | null): Promise<void>;
}

/** A runner's response to a program that it is offered. */
export type RunnerAnswer =
  | {
      readonly kind: 'ran';
      readonly outcome: RunOutcome;
      /** True when it accepts no more programs. */
      readonly retires: boolean;
    }
  /** Nothing of the program has started. */
  | { readonly kind: 'refused'; readonly reason: RunnerRefusal };

export type RunnerRefusal =
  /** It is running another program. */
  | 'busy'
  /** It belongs to another workspace. */
  | 'other_workspace'
  /** It accepts no more programs. */
  | 'retired'
  /** The runner gave no response. */
  | 'unreachable'
  /** It cannot keep sessions apart. */
  | 'no_sessions'
  /** It does not have the language. */
  | 'no_language'
  /** It is still preparing the language, and has waited as long as the run's time-out allows. */
  | 'preparing';

/** The protocol between dispatcher and runner. */
export interface RunnerClient {
  /**
   * Offers a program.
   * @param accepted called when the runner has accepted it: from then on it may have started.
   * @throws when it was lost after that, or aborted by the caller's signal; SandboxUnavailable or ExecutionFailed when its files could
   * not be read: nothing has started then
   */
  run(runner: Runner, run: Run, caller: RunCaller, accepted: () => void): Promise<RunnerAnswer>;
  /** Ends a session that the runner keeps; it is not an error when it does not. */
  endSession(runner: KeptRunner, workspaceId: string): Promise<void>;
}
