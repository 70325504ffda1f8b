import { BoundedMap } from './bounded-map.ts';
import type { Clock } from './ports/clock.ts';

/** A change that another process makes is seen after so long at the latest. */
const KEPT_MS = 5_000;
const MAX_KEPT = 200;

/** A short-lived cache by id: a burst of messages reads shared items once. This process's own changes evict their items at once. */
export class Recent<Value> {
  readonly #clock: Clock;
  readonly #kept = new BoundedMap<string, { readonly value: Value; readonly untilMs: number }>(MAX_KEPT);
  #changes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns null if it was not read lately. */
  get(id: string): Value | null {
    const kept = this.#kept.get(id);
    return kept !== undefined && kept.untilMs > this.#clock.now() ? kept.value : null;
  }

  /** Starts to read. @returns what keeps the value that was read, unless it may have changed meanwhile. */
  reading(id: string): (value: Value) => void {
    const [changes, untilMs] = [this.#changes, this.#clock.now() + KEPT_MS];
    return (value) => {
      if (changes !== this.#changes) return;
      this.#kept.set(id, { value, untilMs });
    };
  }

  forget(id: string): void {
    this.#changes += 1;
    this.#kept.delete(id);
  }
}
