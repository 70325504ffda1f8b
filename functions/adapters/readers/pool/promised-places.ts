import type { Wanted } from '../../shared/wanted.ts';

/** A place in line that is kept for a page that was refused, and will be sent again. */
export interface PromisedPlace extends Wanted {
  /** Epoch milliseconds: the end of its Retry-After. */
  readonly atMs: number;
}

/** How long a place is kept for a client that comes back late. */
const KEPT_MS = 5_000;
/** Each place counts in every estimate; a client beyond these gets a Retry-After without a place. */
const MAX_PLACES = 500;
const MAX_PLACES_OF_WORKSPACE = 64;

/**
 * Places of refused pages that return after their Retry-After. Newcomers are admitted, and get their Retry-After, as if these pages were in
 * line already, so that clients who are refused at the same moment do not all come back for the same place.
 */
export class PromisedPlaces {
  #places: readonly PromisedPlace[] = [];

  promise(place: PromisedPlace): void {
    const own = this.#places.filter(({ workspaceId }) => workspaceId === place.workspaceId);
    if (this.#places.length >= MAX_PLACES || own.length >= MAX_PLACES_OF_WORKSPACE) return;
    this.#places = [...this.#places, place].sort((a, b) => a.atMs - b.atMs);
  }

  /** Takes the workspace's first place whose time has come. */
  redeem(workspaceId: string, nowMs: number): PromisedPlace | undefined {
    this.#expire(nowMs);
    const due = this.#places.find((place) => place.workspaceId === workspaceId && place.atMs <= nowMs);
    this.#places = this.#places.filter((place) => place !== due);
    return due;
  }

  /** The places that are kept, of all or only those up to a time. */
  kept(nowMs: number, untilMs = Number.POSITIVE_INFINITY): readonly PromisedPlace[] {
    this.#expire(nowMs);
    return this.#places.filter(({ atMs }) => atMs <= untilMs);
  }

  #expire(nowMs: number): void {
    this.#places = this.#places.filter(({ atMs }) => atMs + KEPT_MS > nowMs);
  }
}
