import type { Clock } from '../../../shared/ports/clock.ts';
import { SlowWorkspaces } from '../give-way.ts';

/** Wait of a delivery for another one of its workspace to end, before it gives way. It holds a worker: one of a workspace may wait at a time. */
const PATIENCE_MS = 200;

export type SharedDelivery =
  | { readonly kind: 'delivered' }
  /** The workspace has as many deliveries as it may have, and none of them ends soon; `isSlow`: its receivers take their time. */
  | { readonly kind: 'full'; readonly isSlow: boolean };

interface SharePorts {
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
}

/** Keeps a workspace whose receivers hang from holding every delivery of a process. */
export class DeliveryShares {
  readonly #max: number;
  readonly #ports: SharePorts;
  /** Starts of the deliveries under way, the oldest first, by workspace. */
  readonly #running = new Map<string, readonly number[]>();
  /** Ends the wait, by workspace. */
  readonly #waiting = new Map<string, () => void>();
  readonly #slow: SlowWorkspaces;

  /** @param max deliveries of one workspace at the same time. */
  constructor(max: number, ports: SharePorts) {
    this.#max = max;
    this.#ports = ports;
    this.#slow = new SlowWorkspaces(ports.clock);
  }

  async within(workspaceId: string, deliver: () => Promise<void>): Promise<SharedDelivery> {
    if (this.#isFull(workspaceId) && !(await this.#isFreeSoon(workspaceId))) {
      const [oldest] = this.#starts(workspaceId);
      if (oldest !== undefined) this.#slow.note(workspaceId, oldest);
      return { kind: 'full', isSlow: this.#slow.has(workspaceId) };
    }
    const startedAtMs = this.#ports.clock.now();
    this.#running.set(workspaceId, [...this.#starts(workspaceId), startedAtMs]);
    try {
      await deliver();
    } finally {
      this.#slow.note(workspaceId, startedAtMs);
      const starts = this.#starts(workspaceId);
      const left = starts.toSpliced(starts.indexOf(startedAtMs), 1);
      if (left.length === 0) this.#running.delete(workspaceId);
      else this.#running.set(workspaceId, left);
      this.#waiting.get(workspaceId)?.();
    }
    return { kind: 'delivered' };
  }

  #starts(workspaceId: string): readonly number[] {
    return this.#running.get(workspaceId) ?? [];
  }

  #isFull(workspaceId: string): boolean {
    return this.#starts(workspaceId).length >= this.#max;
  }

  async #isFreeSoon(workspaceId: string): Promise<boolean> {
    if (this.#waiting.has(workspaceId)) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(workspaceId, resolve);
    await Promise.race([promise, this.#ports.pause(PATIENCE_MS)]);
    this.#waiting.delete(workspaceId);
    return !this.#isFull(workspaceId);
  }
}
