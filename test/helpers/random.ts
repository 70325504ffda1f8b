/** Numbers from a seed, the same each time (mulberry32). */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed | 0;
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }
  below(count: number): number {
    return Math.floor(this.next() * count);
  }
  chance(share: number): boolean {
    return this.next() < share;
  }
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}
