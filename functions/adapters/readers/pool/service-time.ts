/** Before any page was read: a table of twenty lines on one core. */
const FIRST_GUESS_MS = 4000;
/** Minimum weight of the latest page in the average: about a dozen pages count. */
const LATEST_SHARE = 0.15;

/** Service-time estimate of a page: a moving average (EWMA) over the pages that were read, which reflects the machine and its load. */
export class ServiceTime {
  #pageMs = FIRST_GUESS_MS;
  #pages = 1;

  /** @param busySinceMs when each of the readers started the page that it is at. */
  pageMs(nowMs: number, busySinceMs: readonly number[]): number {
    // When even the youngest page at hand has taken longer than pages took before, times may have changed.
    const youngestMs = busySinceMs.length === 0 ? 0 : nowMs - Math.max(...busySinceMs);
    return this.#pageMs + this.#latestShare() * Math.max(0, youngestMs - this.#pageMs);
  }

  learn(tookMs: number): void {
    this.#pages++;
    this.#pageMs += this.#latestShare() * (tookMs - this.#pageMs);
  }

  #latestShare(): number {
    return Math.max(LATEST_SHARE, 1 / this.#pages);
  }

  /** When a page will have been read that waits with `ahead` others before it. */
  doneAtMs(nowMs: number, ahead: number, busySinceMs: readonly number[]): number {
    const pageMs = this.pageMs(nowMs, busySinceMs);
    const freeAtMs = busySinceMs.map((sinceMs) => Math.max(nowMs, sinceMs + pageMs)).sort((a, b) => a - b);
    // Each page goes to the reader that is free first, which then is free last: pages are taken to be alike.
    return freeAtMs[ahead % freeAtMs.length]! + pageMs * (Math.floor(ahead / freeAtMs.length) + 1);
  }
}
