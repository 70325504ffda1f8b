import type { FairQueue } from '../../shared/fair-queue.ts';
import { isHurried, type Wanted } from '../../shared/wanted.ts';
import { PromisedPlaces } from './promised-places.ts';
import type { ServiceTime } from './service-time.ts';

export interface AdmissionOptions {
  readonly queue: Pick<FairQueue<unknown>, 'ahead' | 'length' | 'lengthOf' | 'workspaces'>;
  readonly forecast: Pick<ServiceTime, 'doneAtMs' | 'pageMs'>;
  /** When each of the readers started the page that it is at; of at least one. */
  readonly busySinceMs: () => readonly number[];
  /** Pages that may wait. One workspace gets half of the places, and never the last one if it has another. */
  readonly maxWaiting: number;
}

/**
 * Share of its time that a page without a promised place must have to spare: estimates err, and pages that return after their Retry-After
 * need this time.
 */
const SPARED_SHARE = 0.3;

/**
 * Decides which pages may wait for a reader. One that would not be read in time is refused at once, with a time at which it will
 * be: a place in line is kept for it.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #promised = new PromisedPlaces();

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** @returns null for a page that may wait; else its Retry-After in whole seconds. */
  refusal(wanted: Wanted, nowMs: number): number | null {
    const promised = isHurried(wanted) ? this.#promised.redeem(wanted.workspaceId, nowMs) : undefined;
    const kept = this.#promised.kept(nowMs, promised?.atMs);
    // Who comes back after this page was read takes nothing from it.
    const before = kept.filter(({ atMs }) => atMs < wanted.deadlineMs);
    const sparedMs = promised === undefined ? sparedOf(wanted, nowMs) : 0;
    if (this.#delayMs(wanted, before, nowMs) + sparedMs <= 0) return null;
    return this.#comeBack(wanted, nowMs);
  }

  /** Retry-After in whole seconds of a page that was admitted, and can no longer be read in time. */
  retryAfterSeconds(wanted: Wanted, nowMs: number): number {
    return this.#comeBack(wanted, nowMs);
  }

  /** How much later the page would have to come to be read in time, as things are now; negative: it has time to spare. @param kept places before its own. */
  #delayMs(wanted: Wanted, kept: readonly Wanted[], nowMs: number): number {
    const { queue, forecast, busySinceMs } = this.#options;
    const lateMs = forecast.doneAtMs(nowMs, queue.ahead(wanted, kept), busySinceMs()) - wanted.deadlineMs;
    const untilPlaceMs = this.#untilPlaceMs(wanted.workspaceId, kept, nowMs);
    return untilPlaceMs > 0 ? Math.max(untilPlaceMs, lateMs) : lateMs;
  }

  /** Until the workspace has a place among those that may wait; 0 when it has one. */
  #untilPlaceMs(workspaceId: string, kept: readonly Wanted[], nowMs: number): number {
    const { queue, maxWaiting, busySinceMs, forecast } = this.#options;
    const share = maxWaiting / 2;
    const keptBy = Map.groupBy(kept, (place) => place.workspaceId);
    const lengthOf = (id: string) => queue.lengthOf(id) + (keptBy.get(id)?.length ?? 0);
    const own = lengthOf(workspaceId);
    // What one workspace was promised beyond its share takes no place from another.
    const keptInShare = [...keptBy.keys()].map((id) => Math.max(0, Math.min(lengthOf(id), share) - queue.lengthOf(id)));
    const free = maxWaiting - queue.length - keptInShare.reduce((sum, each) => sum + each, 0);
    // One place beyond its own is left to another workspace.
    const lacking = own === 0 ? 1 - free : Math.max(2 - free, own + 1 - share);
    if (lacking <= 0) return 0;
    const lanes = Math.max(1, queue.workspaces);
    return (lacking * lanes * forecast.pageMs(nowMs, busySinceMs())) / busySinceMs().length;
  }

  #comeBack(wanted: Wanted, nowMs: number): number {
    const delayMs = this.#delayMs(wanted, this.#promised.kept(nowMs), nowMs) + sparedOf(wanted, nowMs);
    const seconds = Math.max(1, Math.ceil(delayMs / 1000));
    // A page of a batch comes back when its queue delivers it again.
    if (isHurried(wanted)) this.#promised.promise({ ...wanted, atMs: nowMs + seconds * 1000 });
    return seconds;
  }
}

/** A page that is in no hurry needs no reserve. */
function sparedOf(wanted: Wanted, nowMs: number): number {
  return isHurried(wanted) ? SPARED_SHARE * Math.max(0, wanted.deadlineMs - nowMs) : 0;
}
