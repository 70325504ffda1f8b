import { SandboxUnavailable } from './sandbox-pool.ts';

/** A place in line. */
export interface Place {
  /** Resolves when it is the first. */
  readonly turn: Promise<void>;
  isFirst(): boolean;
  leave(): void;
}

/** Programs of a workspace that wait in line. */
const MAX_PLACES = 200;
/** Bytes of those programs; a larger program waits alone. */
const MAX_BYTES = 32 * 1024 * 1024;
const RETRY_SECONDS = 5;

interface Waiting {
  readonly places: Set<Place>;
  /** The places of each line, with what makes them the first. */
  readonly lines: Map<string, Map<Place, () => void>>;
  bytes: number;
}

/** Programs that wait for a runner. Each workspace has a number of places and bytes for all its lines. */
export class WaitingLines {
  readonly #waiting = new Map<string, Waiting>();

  /**
   * @param name of one of the workspace's lines, which do not wait for each other
   * @param bytes that are held in memory until the program leaves
   * @throws SandboxUnavailable when the workspace has no room left
   */
  join(workspaceId: string, name: string, bytes: number): Place {
    const waiting = this.#waiting.get(workspaceId) ?? { places: new Set(), lines: new Map(), bytes: 0 };
    const { places, lines } = waiting;
    if (places.size >= MAX_PLACES) throw full(`${MAX_PLACES} programs of this workspace wait in line already.`);
    if (waiting.bytes > 0 && waiting.bytes + bytes > MAX_BYTES)
      throw full(
        `Programs of this workspace that wait in line hold ${MAX_BYTES / 2 ** 20} MiB already. Upload large files by POST /api/v1/execute/uploads.`,
      );
    const line = lines.get(name) ?? new Map<Place, () => void>();
    const { promise: turn, resolve: advance } = Promise.withResolvers<void>();
    const place: Place = {
      turn,
      isFirst: () => line.keys().next().value === place,
      leave: () => {
        if (!places.delete(place)) return;
        waiting.bytes -= bytes;
        line.delete(place);
        line.values().next().value?.();
        if (line.size === 0) lines.delete(name);
        if (places.size === 0) this.#waiting.delete(workspaceId);
      },
    };
    places.add(place);
    waiting.bytes += bytes;
    lines.set(name, line.set(place, advance));
    this.#waiting.set(workspaceId, waiting);
    return place;
  }
}

function full(reason: string): SandboxUnavailable {
  return new SandboxUnavailable(`${reason} Please try again.`, { retryAfterSeconds: RETRY_SECONDS });
}
