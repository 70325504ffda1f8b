/** Before any page was read: a table of twenty lines on one core. */
const FIRST_GUESS_MS = 4000;
/** What the latest page counts for against all before it: a dozen pages are remembered. */
const LATEST_SHARE = 0.15;

/** How long a page takes nowadays, told by the pages that were read: it knows the machine and what else it does. */
export class ReadingForecast {
  #pageMs = FIRST_GUESS_MS;

  get pageMs(): number {
    return this.#pageMs;
  }

  learn(tookMs: number): void {
    this.#pageMs += LATEST_SHARE * (tookMs - this.#pageMs);
  }

  /**
   * When a page will have been read that waits with `ahead` others before it.
   * @param busySinceMs when each of the readers began the page that it is at.
   */
  doneAtMs(nowMs: number, ahead: number, busySinceMs: readonly number[]): number {
    const freeAtMs = busySinceMs.map((sinceMs) => Math.max(nowMs, sinceMs + this.#pageMs)).sort((a, b) => a - b);
    // Each page goes to the reader that is free first, which then is free last: pages are taken to be alike.
    return freeAtMs[ahead % freeAtMs.length]! + this.#pageMs * (Math.floor(ahead / freeAtMs.length) + 1);
  }
}
