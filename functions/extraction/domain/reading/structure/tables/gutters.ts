import type { TextRow } from './text-rows.ts';

/** White that runs down between two columns. */
export interface Gutter {
  readonly from: number;
  readonly to: number;
  /** Rows whose text reaches into it. */
  readonly bridges: number;
}

/** Part of the rows that may reach into a gutter: a header wider than its column, an amount that touches its neighbour. */
const TOLERATED_SHARE = 0.06;

/** Counts, for every position across the page, the rows that have text there; rows are added one by one. */
export class RowProfile {
  readonly #left: number;
  readonly #letterHeight: number;
  readonly #count: Uint16Array;
  #rows = 0;

  constructor(left: number, right: number, letterHeight: number) {
    this.#left = left;
    this.#letterHeight = letterHeight;
    this.#count = new Uint16Array(Math.max(1, right - left));
  }

  get rows(): number {
    return this.#rows;
  }

  add(row: TextRow): void {
    this.#rows++;
    this.addLine(row);
  }

  /** Adds a line that is not a row but a wrapped part of one: its text is in a column, too. */
  addLine(row: TextRow): void {
    let covered = 0;
    for (const word of [...row.words].sort((a, b) => a.left - b.left)) {
      const to = Math.min(this.#count.length, word.right - this.#left);
      for (let x = Math.max(covered, word.left - this.#left); x < to; x++) this.#count[x]!++;
      covered = Math.max(covered, to);
    }
  }

  /** Gutters between inked stretches. A few rows may leave white side by side by chance: fewer rows need more of it. */
  gutters(tolerated = this.#tolerated()): readonly Gutter[] {
    const narrowest = (this.#rows >= 8 ? 0.3 : this.#rows >= 5 ? 0.4 : 0.55) * this.#letterHeight;
    const gutters: Gutter[] = [];
    let start = -1;
    let inkBefore = false;
    for (let x = 0; x < this.#count.length; x++) {
      if (this.#count[x]! <= tolerated) {
        if (start < 0) start = x;
      } else {
        if (start >= 0 && inkBefore && x - start >= narrowest) gutters.push(this.#clearest(start, x));
        start = -1;
        inkBefore = true;
      }
    }
    return gutters;
  }

  #tolerated(): number {
    return this.#rows >= 8 ? Math.max(1, Math.floor(this.#rows * TOLERATED_SHARE)) : 0;
  }

  /** The widest part of a stretch that the fewest rows reach into: there a border cuts no number of many digits. */
  #clearest(from: number, to: number): Gutter {
    const fewest = Math.min(...this.#count.subarray(from, to));
    let best: Gutter = { from, to: from, bridges: fewest };
    for (let x = from; x < to; x++) {
      if (this.#count[x] !== fewest) continue;
      const start = x;
      while (x < to && this.#count[x] === fewest) x++;
      if (x - start > best.to - best.from) best = { from: start, to: x, bridges: fewest };
    }
    return { ...best, from: this.#left + best.from, to: this.#left + best.to };
  }

  /** The most rows that have text at one position of a stretch. */
  most(from: number, to: number): number {
    let most = 0;
    for (let x = Math.max(0, from - this.#left); x < Math.min(this.#count.length, to - this.#left); x++)
      most = Math.max(most, this.#count[x]!);
    return most;
  }
}
