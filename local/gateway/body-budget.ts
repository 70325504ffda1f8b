import { problems } from './gateway-problems.ts';

/** How many bytes of request bodies are in memory at once, so that many large ones do not end the process. */
export class BodyBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** @returns what gives the bytes back. @throws Problem 503 when there are too few left. */
  take(bytes: number): () => void {
    if (bytes > this.#left) throw problems.busy();
    this.#left -= bytes;
    let taken = true;
    return () => {
      if (taken) this.#left += bytes;
      taken = false;
    };
  }
}
