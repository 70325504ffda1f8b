/** The time of a run, from its events. Time in which it waits for people, or for a function to continue it, is not its own. */
export class RunClock {
  nowMs = 0;
  #beganMs = 0;
  #idleMs = 0;
  #waitingSinceMs: number | null = null;

  get hasBegun(): boolean {
    return this.#beganMs > 0;
  }

  get elapsedMs(): number {
    return this.nowMs - this.#beganMs;
  }

  begin(atMs: number): void {
    this.#beganMs = atMs;
  }

  /** @param isResumed true when no function had the run since the event before. */
  advance(atMs: number, isResumed: boolean): void {
    const beforeMs = this.nowMs;
    this.nowMs = Math.max(this.nowMs, atMs);
    if (this.#waitingSinceMs !== null) this.#idleMs += this.nowMs - this.#waitingSinceMs;
    else if (isResumed) this.#idleMs += this.nowMs - beforeMs;
  }

  /** @param isWaiting true when the run now only waits for people. */
  settle(isWaiting: boolean): void {
    this.#waitingSinceMs = isWaiting ? this.nowMs : null;
  }

  /** When a run with so much time ends. */
  endOf(timeoutSeconds: number): number {
    return this.#beganMs + timeoutSeconds * 1000 + this.#idleMs;
  }
}
