import { isHurried, type Wanted } from './wanted.ts';

/** The pages of a workspace in the order of their deadlines. */
export interface Lane {
  readonly pages: readonly Wanted[];
  /** Index of its first page that has had no turn. */
  readonly next: number;
  /** Time that the workspace will have used before this page. */
  readonly usedMs: number;
  /** Of two that are level, the lower goes first. */
  readonly place: number;
}

/** Turns of pages with a deadline while others wait; the next one is given to a page without one, so that batches end. */
const MAX_HURRIED_IN_ROW = 7;

/** Lanes by the order of their turns. Each change costs a binary search: hundreds of workspaces may wait. */
export class Lanes {
  /** Lanes whose first page has a deadline, and others; who has used least is the last. */
  readonly #hurried: Lane[] = [];
  readonly #patient: Lane[] = [];

  get length(): number {
    return this.#hurried.length + this.#patient.length;
  }

  add(lane: Lane): void {
    const lanes = isHurried(firstOf(lane)) ? this.#hurried : this.#patient;
    let from = 0;
    let to = lanes.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (isBefore(lane, lanes[middle]!)) from = middle + 1;
      else to = middle;
    }
    lanes.splice(from, 0, lane);
  }

  /** Takes out the lane that has the next turn. @param inRow turns of pages with a deadline before it. */
  take(inRow: number): Lane | undefined {
    const isHurriedFirst = inRow < MAX_HURRIED_IN_ROW;
    const [first, other] = isHurriedFirst ? [this.#hurried, this.#patient] : [this.#patient, this.#hurried];
    return first.pop() ?? other.pop();
  }
}

function firstOf({ pages, next }: Lane): Wanted {
  return pages[next]!;
}

/** Whether it has used less; of two that are level, whether its first page is wanted sooner. */
function isBefore(lane: Lane, other: Lane): boolean {
  if (lane.usedMs !== other.usedMs) return lane.usedMs < other.usedMs;
  const [wanted, otherWanted] = [firstOf(lane), firstOf(other)];
  if (wanted.deadlineMs !== otherWanted.deadlineMs) return wanted.deadlineMs < otherWanted.deadlineMs;
  return lane.place < other.place;
}
