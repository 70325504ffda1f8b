/** Wait of a delivery for another one of its workspace to end, before it gives way. It holds a worker: one of a workspace may wait at a time. */
const PATIENCE_MS = 200;

/** Keeps a workspace whose receivers hang from holding every delivery of a process. */
export class DeliveryShares {
  readonly #max: number;
  readonly #pause: (ms: number) => Promise<void>;
  readonly #running = new Map<string, number>();
  /** Ends the wait, by workspace. */
  readonly #waiting = new Map<string, () => void>();

  /** @param max deliveries of one workspace at the same time. */
  constructor(max: number, pause: (ms: number) => Promise<void>) {
    this.#max = max;
    this.#pause = pause;
  }

  /** @returns false where the workspace has as many deliveries as it may have, and none of them ends soon. */
  async within(workspaceId: string, deliver: () => Promise<void>): Promise<boolean> {
    if (this.#count(workspaceId) >= this.#max && !(await this.#isFreeSoon(workspaceId))) return false;
    this.#running.set(workspaceId, this.#count(workspaceId) + 1);
    try {
      await deliver();
    } finally {
      const left = this.#count(workspaceId) - 1;
      if (left === 0) this.#running.delete(workspaceId);
      else this.#running.set(workspaceId, left);
      this.#waiting.get(workspaceId)?.();
    }
    return true;
  }

  #count(workspaceId: string): number {
    return this.#running.get(workspaceId) ?? 0;
  }

  async #isFreeSoon(workspaceId: string): Promise<boolean> {
    if (this.#waiting.has(workspaceId)) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(workspaceId, resolve);
    await Promise.race([promise, this.#pause(PATIENCE_MS)]);
    this.#waiting.delete(workspaceId);
    return this.#count(workspaceId) < this.#max;
  }
}
