import type { RunOutcome } from '../../functions/sandbox/domain/run.ts';
import type { RunnerRefusal } from '../../functions/sandbox/domain/runner-ports.ts';

export interface TenancyLimits {
  /** Programs that it takes in all; 1: each has a runner of its own. 0: any number, whatever happens. */
  readonly mostUses: number;
  /** Time since it took the first one after which it takes none any more. */
  readonly mostAgeMs: number;
}

export type TenancyRefusal = Extract<RunnerRefusal, 'busy' | 'other_workspace' | 'retired'>;

/** Exit code of a program that SIGKILL has ended. */
const KILLED = 137;

/**
 * Whom a runner works for: one program at a time, all of one workspace, up to a number and an age; and none after one that
 * had to be ended, since what that one has left behind is the least certain.
 */
export class Tenancy {
  readonly #limits: TenancyLimits;
  readonly #now: () => number;
  #workspaceId: string | null = null;
  #sinceMs = 0;
  #uses = 0;
  #isBusy = false;
  #isOver = false;

  /** @param now milliseconds of any clock that goes evenly. */
  constructor(limits: TenancyLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Takes a program, or says why not. */
  take(workspaceId: string): TenancyRefusal | null {
    if (this.isOver) return 'retired';
    if (this.#isBusy) return 'busy';
    if (this.#isOfOthers(workspaceId)) return 'other_workspace';
    if (this.#workspaceId === null) this.#sinceMs = this.#now();
    this.#workspaceId = workspaceId;
    this.#isBusy = true;
    return null;
  }

  /** The program that was taken has ended so; null: nothing of it has begun. An error: nobody knows. */
  give(outcome: RunOutcome | Error | null): void {
    this.#isBusy = false;
    if (outcome === null || this.#limits.mostUses === 0) return;
    this.#uses += 1;
    if (this.#uses >= this.#limits.mostUses || wasEnded(outcome)) this.retire();
  }

  /** It takes no more programs. */
  retire(): void {
    this.#isOver = true;
  }

  get isOver(): boolean {
    return this.#isOver || this.#isTooOld();
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  #isOfOthers(workspaceId: string): boolean {
    return this.#limits.mostUses !== 0 && this.#workspaceId !== null && this.#workspaceId !== workspaceId;
  }

  #isTooOld(): boolean {
    const { mostUses, mostAgeMs } = this.#limits;
    return mostUses !== 0 && this.#workspaceId !== null && this.#now() - this.#sinceMs >= mostAgeMs;
  }
}

function wasEnded(outcome: RunOutcome | Error): boolean {
  if (outcome instanceof Error || outcome.kind === 'timed_out') return true;
  return outcome.kind === 'finished' && outcome.exitCode === KILLED;
}
