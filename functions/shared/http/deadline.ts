import { Problem } from './problem.ts';

/** The moment at which a request's time is over. */
export class Deadline {
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly problem = new Problem(
    504,
    'timeout',
    'The request took too long and was given up. Send it again, or a smaller one.',
  );
  /** Rejects with `problem`, as `signal` is aborted with it. */
  readonly passed: Promise<never>;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(remainingMs: number) {
    this.atMs = Date.now() + remainingMs;
    this.#timer = setTimeout(() => this.#controller.abort(this.problem), Math.max(0, remainingMs));
    this.passed = new Promise((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.problem), { once: true });
    });
    // It may pass while no one waits for it.
    this.passed.catch(() => undefined);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
