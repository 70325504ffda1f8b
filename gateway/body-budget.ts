import { problems } from './gateway-problems.ts';

/** How many bytes of request bodies are in memory at once, so that many large ones do not end the process. */
export class BodyBudget {
  readonly #maxBytesAnAddress: number;
  readonly #byAddress = new Map<string, number>();
  #left: number;

  /** @param bytes of all addresses together; one has half of them, so that it cannot take the service from the others. */
  constructor(bytes: number) {
    this.#left = bytes;
    this.#maxBytesAnAddress = Math.floor(bytes / 2);
  }

  /** @returns what gives the bytes back. @throws Problem 503 when there are too few left. */
  take(bytes: number, address: string): () => void {
    const held = this.#byAddress.get(address) ?? 0;
    // A body larger than an address's share must arrive alone; it is not refused for good.
    const isBeyondShare = held > 0 && held + bytes > this.#maxBytesAnAddress;
    if (bytes > this.#left || isBeyondShare) throw problems.busy();
    this.#change(address, bytes);
    let taken = true;
    return () => {
      if (taken) this.#change(address, -bytes);
      taken = false;
    };
  }

  #change(address: string, bytes: number): void {
    this.#left -= bytes;
    const held = (this.#byAddress.get(address) ?? 0) + bytes;
    if (held === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, held);
  }
}
