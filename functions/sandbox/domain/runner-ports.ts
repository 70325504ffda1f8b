import type { Run, RunOutcome } from './run.ts';
import type { AvailableLanguage, RunCaller } from './sandbox-pool.ts';

/** A program that runs programs, one at a time, as the registry knows it: only the runner itself knows for certain. */
export interface Runner {
  readonly id: string;
  /** `http://10.0.1.23:8080` */
  readonly url: string;
  /** The workspace whose programs alone it takes; null: it has had none yet. */
  readonly workspaceId: string | null;
}

/** Which runners there are. What it is told makes it know more; a run does not depend on it. */
export interface RunnerRegistry {
  /** Runners that may take a program of the workspace: its own, and those that are nobody's. @throws SandboxUnavailable */
  candidates(workspaceId: string): Promise<readonly Runner[]>;
  /** What the runners can run. @throws SandboxUnavailable when none is known */
  languages(): Promise<readonly AvailableLanguage[]>;
  /** The runner has taken a program of the workspace. */
  taken(runner: Runner, workspaceId: string): Promise<void>;
  /** The runner's program has ended. */
  freed(runner: Runner): Promise<void>;
  /** The runner takes no more programs, or does not answer. */
  ended(runner: Runner): Promise<void>;
  /** Until another look may find other candidates, and at most so long. */
  change(atMostMs: number): Promise<void>;
}

/** What a runner makes of a program that it is offered. */
export type RunnerAnswer =
  | {
      readonly kind: 'ran';
      readonly outcome: RunOutcome;
      /** True when it takes no more programs. */
      readonly retires: boolean;
    }
  /** Nothing of the program has begun. */
  | { readonly kind: 'refused'; readonly reason: RunnerRefusal };

export type RunnerRefusal =
  /** It has another program. */
  | 'busy'
  /** It takes those of another workspace only. */
  | 'other_workspace'
  /** It takes none any more. */
  | 'retired'
  /** It has not answered at all. */
  | 'unreachable'
  /** It cannot run the language. */
  | 'no_language'
  /** It is still preparing the language, and has waited as long as the run's time-out allows. */
  | 'preparing';

/** The way to a runner. */
export interface RunnerClient {
  /**
   * Offers a program.
   * @param taken called when the runner has taken it: from then on it may have begun.
   * @throws when it was lost after that, or ended by the caller's signal
   */
  run(runner: Runner, run: Run, caller: RunCaller, taken: () => void): Promise<RunnerAnswer>;
}
