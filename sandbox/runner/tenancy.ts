import type { RunOutcome } from '../../functions/sandbox/domain/run.ts';
import type { RunnerRefusal } from '../../functions/sandbox/domain/runner-ports.ts';

export interface TenancyLimits {
  /** Runs that it serves before it drains; 1: single use. 0: it never drains and serves every workspace. */
  readonly maxUses: number;
  /** Time since its first run after which it drains. */
  readonly maxAgeMs: number;
}

export type TenancyRefusal = Extract<RunnerRefusal, 'busy' | 'other_workspace' | 'retired'>;

/** Exit code of a program that SIGKILL has ended. */
const KILLED = 137;

/**
 * The lifetime of a runner: one run at a time, all of one workspace, up to a number and an age. After a run that had to be
 * killed it drains, since what that one has left behind is the least certain. While it keeps a session it does nothing else, and it
 * drains when that has ended.
 */
export class Tenancy {
  readonly #limits: TenancyLimits;
  readonly #now: () => number;
  #workspaceId: string | null = null;
  #sinceMs = 0;
  #uses = 0;
  #isBusy = false;
  #isDraining = false;
  #session: string | null = null;

  /** @param now milliseconds of a monotonic clock. */
  constructor(limits: TenancyLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Reserves the runner for one run. @returns null when it was reserved, else the reason. */
  acquire(workspaceId: string, session: string | null = null): TenancyRefusal | null {
    if (this.isDraining) return 'retired';
    if (this.#isBusy) return 'busy';
    if (this.#isOfOthers(workspaceId)) return 'other_workspace';
    if (this.#session !== null && this.#session !== this.#sessionOf(workspaceId, session)) return 'busy';
    if (session !== null) this.#session = this.#sessionOf(workspaceId, session);
    if (this.#workspaceId === null) this.#sinceMs = this.#now();
    this.#workspaceId = workspaceId;
    this.#isBusy = true;
    return null;
  }

  /** Ends the reservation. @param outcome null: nothing of the run has started. An error: its end is not known. */
  release(outcome: RunOutcome | Error | null): void {
    this.#isBusy = false;
    if (outcome === null || this.#limits.maxUses === 0 || this.#session !== null) return;
    this.#uses += 1;
    if (this.#uses >= this.#limits.maxUses || wasEnded(outcome)) this.drain();
  }

  /** Whether it keeps this session. */
  keeps(workspaceId: string, session: string): boolean {
    return this.#session === this.#sessionOf(workspaceId, session);
  }

  /** The session that it has kept is over, and so is its own work. */
  endSession(): void {
    this.#session = null;
    if (this.#limits.maxUses !== 0) this.drain();
  }

  #sessionOf(workspaceId: string, session: string | null): string | null {
    return session === null ? null : JSON.stringify([workspaceId, session]);
  }

  /** Refuses every further run. */
  drain(): void {
    this.#isDraining = true;
  }

  get isDraining(): boolean {
    return this.#isDraining || this.#isTooOld();
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  #isOfOthers(workspaceId: string): boolean {
    return this.#limits.maxUses !== 0 && this.#workspaceId !== null && this.#workspaceId !== workspaceId;
  }

  #isTooOld(): boolean {
    const { maxUses, maxAgeMs } = this.#limits;
    // A session ends by itself.
    if (this.#session !== null) return false;
    return maxUses !== 0 && this.#workspaceId !== null && this.#now() - this.#sinceMs >= maxAgeMs;
  }
}

function wasEnded(outcome: RunOutcome | Error): boolean {
  if (outcome instanceof Error || outcome.kind === 'timed_out') return true;
  return outcome.kind === 'finished' && outcome.exitCode === KILLED;
}
