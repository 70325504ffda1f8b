import { BoundedMap } from '../bounded-map.ts';
import type { Clock } from '../ports/clock.ts';

const MAX_KEPT = 10_000;

/** The Retry-After time of each caller of a route: a large body that arrives earlier need not be read. */
export class Refusals {
  readonly #clock: Clock;
  readonly #untilMs = new BoundedMap<string, number>(MAX_KEPT);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(routeId: string, callerId: string, waitSeconds: number): void {
    this.#untilMs.set(keyOf(routeId, callerId), this.#clock.now() + waitSeconds * 1000);
  }

  /** @returns 0 for a caller who need not wait. */
  waitSeconds(routeId: string, callerId: string): number {
    const untilMs = this.#untilMs.get(keyOf(routeId, callerId)) ?? 0;
    return Math.max(0, Math.ceil((untilMs - this.#clock.now()) / 1000));
  }
}

const keyOf = (routeId: string, callerId: string) => `${routeId} ${callerId}`;
