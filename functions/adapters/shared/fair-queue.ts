import { Lanes } from './lanes.ts';
import { isHurried, type Wanted } from './wanted.ts';

interface Waiting<Turn> extends Wanted {
  readonly turn: PromiseWithResolvers<Turn>;
  readonly giveUp: () => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** A workspace's recent usage, relative to the others with pages here. */
interface Share {
  /** Of turns that have ended. */
  usedMs: number;
  /** Turns that have not. */
  turns: number;
}

/** Longest delay that a timer can have; a later deadline needs none. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Pages that wait for a reader. Those of clients that wait, which have a deadline, go before those of batches. Workspaces get equal shares of reading time (start-time fair queueing): the next turn goes to
 * the one that has used least, so that a flood of one workspace costs another the page at hand and no more. Within a workspace
 * the nearest deadline goes first, which lets single calls pass its batches; equal deadlines go by arrival.
 */
export class FairQueue<Turn> {
  /** Of every workspace in the order in which its pages are to be served; none is empty. */
  readonly #waiting = new Map<string, Waiting<Turn>[]>();
  /** Of workspaces that wait or have a turn: one that comes back starts level with the others, without credit or debt. */
  readonly #shares = new Map<string, Share>();
  readonly #pageMs: () => number;
  #hurriedInRow = 0;

  /** @param pageMs what a page is expected to take, until it is known. */
  constructor(pageMs: () => number) {
    this.#pageMs = pageMs;
  }

  get length(): number {
    let length = 0;
    for (const pages of this.#waiting.values()) length += pages.length;
    return length;
  }

  /** How many have pages here. */
  get workspaces(): number {
    return this.#waiting.size;
  }

  lengthOf(workspaceId: string): number {
    return this.#waiting.get(workspaceId)?.length ?? 0;
  }

  /** How many pages would be served before a newcomer. @param expected pages that came before it and will be here again. */
  ahead(newcomer: Wanted, expected: readonly Wanted[] = []): number {
    let ahead = 0;
    for (const page of this.#order([...expected, newcomer])) {
      if (page === newcomer) break;
      ahead++;
    }
    return ahead;
  }

  /** Turns that a workspace has now. */
  turnsOf(workspaceId: string): number {
    return this.#shares.get(workspaceId)?.turns ?? 0;
  }

  /**
   * @param giveUpMs time from now after which waiting is of no use; the page is then rejected with `tooLate`'s error.
   * @param signal of a caller that may leave; its page then leaves, too.
   */
  wait(wanted: Wanted, giveUpMs: number, tooLate: () => Error, signal?: AbortSignal): Promise<Turn> {
    const { workspaceId, deadlineMs } = wanted;
    const turn = Promise.withResolvers<Turn>();
    const giveUp = () => {
      clearTimeout(timer);
      this.#remove(waiting);
      turn.reject(tooLate());
    };
    if (signal) {
      const leave = () => {
        clearTimeout(timer);
        this.#remove(waiting);
        turn.reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      const stay = () => signal.removeEventListener('abort', leave);
      turn.promise.then(stay, stay);
    }
    const timer = giveUpMs <= MAX_TIMER_MS ? setTimeout(giveUp, giveUpMs) : undefined;
    const waiting: Waiting<Turn> = { workspaceId, deadlineMs, turn, giveUp, timer };
    this.#share(workspaceId);
    this.#waiting.set(workspaceId, withNewcomer(this.#waiting.get(workspaceId) ?? [], waiting));
    return turn.promise;
  }

  /**
   * Gives the turn to the page that is next. @param mayBegin false for a workspace that has its share of turns.
   * @returns false when none waits.
   */
  serve(makeTurn: () => Turn, mayBegin: (workspaceId: string) => boolean = () => true): boolean {
    const first = this.#firstOf(mayBegin);
    if (first === undefined) return false;
    clearTimeout(first.timer);
    this.begin(first.workspaceId);
    this.#hurriedInRow = inRowAfter(first, this.#hurriedInRow);
    this.#remove(first);
    first.turn.resolve(makeTurn());
    return true;
  }

  /** Counts a turn that `end` will return: of a page that is served, or had not to wait. */
  begin(workspaceId: string): void {
    this.#share(workspaceId).turns++;
  }

  end(workspaceId: string, tookMs: number): void {
    const share = this.#share(workspaceId);
    share.turns--;
    share.usedMs += tookMs;
    this.#forgetIdle(workspaceId);
  }

  /** Rejects the pages that wait in vain as things are now. @param isTooLate of a page with `ahead` others before it. */
  reconsider(isTooLate: (ahead: number, deadlineMs: number) => boolean): void {
    let ahead = 0;
    for (const page of [...(this.#order() as Generator<Waiting<Turn>>)]) {
      if (isTooLate(ahead, page.deadlineMs)) page.giveUp();
      else ahead++;
    }
  }

  /** Ends the waiting of all. */
  dissolve(error: () => Error): void {
    for (const page of [...this.#waiting.values()].flat()) {
      clearTimeout(page.timer);
      this.#remove(page);
      page.turn.reject(error());
    }
  }

  #firstOf(mayBegin: (workspaceId: string) => boolean): Waiting<Turn> | undefined {
    for (const page of this.#order() as Generator<Waiting<Turn>>) if (mayBegin(page.workspaceId)) return page;
    return undefined;
  }

  /** The pages in the order in which they would be served if each took what a page is expected to take. */
  *#order(newcomers: readonly Wanted[] = []): Generator<Wanted> {
    const pagesOf = new Map<string, readonly Wanted[]>(this.#waiting);
    for (const newcomer of newcomers) {
      const { workspaceId } = newcomer;
      pagesOf.set(workspaceId, withNewcomer(pagesOf.get(workspaceId) ?? [], newcomer));
    }
    const pageMs = this.#pageMs();
    const leastUsedMs = this.#leastUsedMs();
    const lanes = new Lanes();
    for (const [workspaceId, pages] of pagesOf) {
      const { usedMs = leastUsedMs, turns = 0 } = this.#shares.get(workspaceId) ?? {};
      lanes.add({ pages, next: 0, usedMs: usedMs + turns * pageMs, place: lanes.length });
    }
    let inRow = this.#hurriedInRow;
    for (let lane = lanes.take(inRow); lane !== undefined; lane = lanes.take(inRow)) {
      const page = lane.pages[lane.next]!;
      inRow = inRowAfter(page, inRow);
      yield page;
      const next = lane.next + 1;
      if (next < lane.pages.length) lanes.add({ ...lane, next, usedMs: lane.usedMs + pageMs });
    }
  }

  #share(workspaceId: string): Share {
    const known = this.#shares.get(workspaceId);
    if (known) return known;
    const share: Share = { usedMs: this.#leastUsedMs(), turns: 0 };
    this.#shares.set(workspaceId, share);
    return share;
  }

  /** By turns that have ended: what those at hand will have taken is a guess, and is corrected when they end. */
  #leastUsedMs(): number {
    if (this.#shares.size === 0) return 0;
    return Math.min(...[...this.#shares.values()].map(({ usedMs }) => usedMs));
  }

  #remove(page: Waiting<Turn>): void {
    const { workspaceId } = page;
    const left = (this.#waiting.get(workspaceId) ?? []).filter((other) => other !== page);
    if (left.length > 0) this.#waiting.set(workspaceId, left);
    else this.#waiting.delete(workspaceId);
    this.#forgetIdle(workspaceId);
  }

  #forgetIdle(workspaceId: string): void {
    if (this.#shares.get(workspaceId)?.turns === 0 && !this.#waiting.has(workspaceId)) this.#shares.delete(workspaceId);
  }
}

function inRowAfter(page: Wanted, inRow: number): number {
  return isHurried(page) ? inRow + 1 : 0;
}

/** Behind all pages of the workspace that are wanted no later. */
function withNewcomer<Page extends Wanted>(pages: readonly Page[], newcomer: Page): Page[] {
  const place = pages.filter(({ deadlineMs }) => deadlineMs <= newcomer.deadlineMs).length;
  return pages.toSpliced(place, 0, newcomer);
}
