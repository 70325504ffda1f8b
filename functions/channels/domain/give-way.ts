import { BoundedMap } from '../../shared/bounded-map.ts';
import type { Clock } from '../../shared/ports/clock.ts';

const SLOW_MS = 2_000;
/** After slow work its workspace counts as slow for so long. */
const SLOW_FOR_MS = 10 * 60_000;
const MAX_REMEMBERED = 1_000;

/** Workspaces whose answers or deliveries take their time. */
export class SlowWorkspaces {
  readonly #clock: Clock;
  /** Until when each counts as slow. */
  readonly #until = new BoundedMap<string, number>(MAX_REMEMBERED);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes work that has ended, or that is still under way. */
  note(workspaceId: string, startedAtMs: number): void {
    const nowMs = this.#clock.now();
    if (nowMs - startedAtMs > SLOW_MS) this.#until.set(workspaceId, nowMs + SLOW_FOR_MS);
  }

  has(workspaceId: string): boolean {
    return (this.#until.get(workspaceId) ?? 0) > this.#clock.now();
  }
}

/**
 * The wait of a lane whose workspace has its whole share, in milliseconds: up to twice as long where the workspace is slow. Whole seconds, as
 * queues have them: the rest of one would hold a worker.
 */
export function giveWayMs(isSlow: boolean, random: () => number): number {
  return 1000 * (isSlow ? 5 + Math.floor(5 * random()) : 1);
}
