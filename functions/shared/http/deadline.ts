import { Problem } from './problem.ts';

/** The moment at which a request's time is over. */
export class Deadline {
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** Rejects with a problem, which is the reason of `signal` too. */
  readonly #passed: Promise<never>;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(remainingMs: number) {
    this.atMs = Date.now() + remainingMs;
    this.#timer = setTimeout(() => this.#controller.abort(timeout()), Math.max(0, remainingMs));
    this.#passed = new Promise((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
    });
    // It may pass while no one waits for it.
    this.#passed.catch(() => undefined);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The result of `work`, or the time-out if that comes first. */
  race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#passed]);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

function timeout(): Problem {
  return new Problem(504, 'timeout', 'The request took too long and was given up. Send it again, or a smaller one.');
}
