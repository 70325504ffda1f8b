interface Wait {
  readonly atMs: number;
  readonly order: number;
  readonly resume: () => void;
}

/** Time that passes only when everything waits for it: minutes of traffic are simulated in seconds, the same each time. */
export class VirtualTime {
  nowMs = 0;
  readonly #waiting: Wait[] = [];
  #order = 0;

  sleep(ms: number): Promise<void> {
    return new Promise((resume) => {
      this.#push({ atMs: this.nowMs + Math.max(0, ms), order: this.#order++, resume });
    });
  }

  /** Runs until nothing waits any more. */
  async run(): Promise<void> {
    for (let next = this.#pop(); next !== undefined; next = this.#pop()) {
      this.nowMs = next.atMs;
      next.resume();
      // Lets all consequences run that do not wait themselves.
      await new Promise((done) => setImmediate(done));
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [x, y] = [this.#waiting[a]!, this.#waiting[b]!];
    return x.atMs < y.atMs || (x.atMs === y.atMs && x.order < y.order);
  }

  #swap(a: number, b: number): void {
    const heap = this.#waiting;
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  }

  #push(entry: Wait): void {
    let at = this.#waiting.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #pop() {
    const heap = this.#waiting;
    if (heap.length === 0) return undefined;
    this.#swap(0, heap.length - 1);
    const first = heap.pop();
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < heap.length && this.#isBefore(left, least)) least = left;
      if (right < heap.length && this.#isBefore(right, least)) least = right;
      if (least === at) return first;
      this.#swap(at, least);
      at = least;
    }
  }
}
