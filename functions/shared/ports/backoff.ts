/** Waiting before another try, as a port: the adapter adds jitter, tests do not wait. */
export interface Backoff {
  /** @param attempt 1 before the second try, 2 before the third, and so on. */
  wait(attempt: number): Promise<void>;
}
