import { setTimeout as sleep } from 'node:timers/promises';

/** Bytes between two pauses. */
const STEP_BYTES = 512 * 1024;
const MAX_PAUSE_MS = 50;

/**
 * Stored files on their way to runners. All pass through this process, which answers others meanwhile: of a workspace one transfer is
 * under way at a time, and it pauses for as long as it has worked.
 */
export class Transfers {
  /** The end of the last transfer of each workspace. */
  readonly #ends = new Map<string, Promise<void>>();

  async *inTurn(workspaceId: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const before = this.#ends.get(workspaceId);
    const { promise: end, resolve } = Promise.withResolvers<void>();
    this.#ends.set(workspaceId, end);
    try {
      await before;
      yield* paced(chunks);
    } finally {
      resolve();
      if (this.#ends.get(workspaceId) === end) this.#ends.delete(workspaceId);
    }
  }
}

async function* paced(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let sinceMs = performance.now();
  let bytes = 0;
  for await (const chunk of chunks) {
    yield chunk;
    bytes += chunk.length;
    if (bytes < STEP_BYTES) continue;
    await sleep(Math.min(performance.now() - sinceMs, MAX_PAUSE_MS));
    sinceMs = performance.now();
    bytes = 0;
  }
}
