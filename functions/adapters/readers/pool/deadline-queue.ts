interface Waiting<Turn> {
  readonly deadlineMs: number;
  readonly turn: PromiseWithResolvers<Turn>;
  readonly giveUp: () => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** Longest delay that a timer can have; who waits with a later deadline needs none. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Callers that wait for their turn: the nearest deadline first, among equal ones who came first. */
export class DeadlineQueue<Turn> {
  readonly #line: Waiting<Turn>[] = [];

  get length(): number {
    return this.#line.length;
  }

  /** How many would be served before a newcomer with this deadline. */
  ahead(deadlineMs: number): number {
    return this.#line.filter((other) => other.deadlineMs <= deadlineMs).length;
  }

  /**
   * @param giveUpMs time from now after which waiting is of no use; who still waits then is rejected with `tooLate`'s error.
   */
  wait(deadlineMs: number, giveUpMs: number, tooLate: () => Error): Promise<Turn> {
    const turn = Promise.withResolvers<Turn>();
    const giveUp = () => {
      clearTimeout(timer);
      this.#line.splice(this.#line.indexOf(waiting), 1);
      turn.reject(tooLate());
    };
    const timer = giveUpMs <= MAX_TIMER_MS ? setTimeout(giveUp, giveUpMs) : undefined;
    const waiting: Waiting<Turn> = { deadlineMs, turn, giveUp, timer };
    this.#line.splice(this.ahead(deadlineMs), 0, waiting);
    return turn.promise;
  }

  /** Gives the turn to who is first in line. @returns false when nobody waits. */
  serve(makeTurn: () => Turn): boolean {
    const first = this.#line.shift();
    if (!first) return false;
    clearTimeout(first.timer);
    first.turn.resolve(makeTurn());
    return true;
  }

  /** Lets go who waits in vain as things are now. @param isTooLate of a caller with `ahead` others before it. */
  reconsider(isTooLate: (ahead: number, deadlineMs: number) => boolean): void {
    for (let ahead = 0; ahead < this.#line.length; ) {
      const { deadlineMs, giveUp } = this.#line[ahead]!;
      if (isTooLate(ahead, deadlineMs)) giveUp();
      else ahead++;
    }
  }

  /** Ends the waiting of all. */
  dissolve(error: () => Error): void {
    for (const { turn, timer } of this.#line.splice(0)) {
      clearTimeout(timer);
      turn.reject(error());
    }
  }
}
