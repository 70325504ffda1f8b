/** Numbers from 0 to 1 of a seed: the same walk for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A schedule of tasks: each waits for its turn, and the seed chooses whose it is. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Gives turns until all of the tasks have ended. */
  async play(tasks: readonly Promise<unknown>[]): Promise<void> {
    let hasEnded = false;
    const all = Promise.allSettled(tasks).then(() => {
      hasEnded = true;
    });
    while (!hasEnded) {
      await new Promise(setImmediate);
      const [chosen] = this.#waiting.splice(Math.floor(this.#random() * this.#waiting.length), 1);
      chosen?.();
    }
    await all;
  }
}
