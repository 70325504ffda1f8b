import { BoundedMap } from '../../shared/bounded-map.ts';
import type { Clock } from '../../shared/ports/clock.ts';

/** Messages that are answered at the same time on one machine, of all workspaces. On AWS the deployment says how many. */
export const LOCAL_ANSWERS_AT_ONCE = 8;
/** Of these, how many slow ones a workspace may have: the other workers stay free for others. */
const MAX_SLOW_SHARE = 0.75;
const SLOW_MS = 2_000;
/** For so long after a slow answer its workspace is counted here. */
const WATCHED_MS = 10 * 60_000;
const MAX_WATCHED = 1_000;

/** The slow answers that are being waited for, by all workers. */
export interface SlowRuns {
  /** @param untilMs when it counts no more, for one whose worker is gone. */
  add(workspaceId: string, messageId: string, untilMs: number): Promise<void>;
  remove(workspaceId: string, messageId: string): Promise<void>;
  /** Counts no further than `max`. */
  count(workspaceId: string, max: number): Promise<number>;
}

export interface SlowAnswersPorts {
  readonly runs: SlowRuns;
  readonly clock: Clock;
  /** Answers that are made at the same time. */
  readonly answersAtOnce: number;
  /** Called when an answer could not be counted. */
  readonly onUncounted: (error: unknown) => void;
}

/**
 * Keeps a workspace whose models are slow from holding every worker. What answers at once costs nothing: only a workspace
 * that has had a slow answer here lately is counted.
 */
export class SlowAnswers {
  readonly #ports: SlowAnswersPorts;
  readonly #slowMs: number;
  /** Until when each workspace is counted. */
  readonly #watched = new BoundedMap<string, number>(MAX_WATCHED);

  constructor(ports: SlowAnswersPorts, slowMs = SLOW_MS) {
    this.#ports = ports;
    this.#slowMs = slowMs;
  }

  /** Whether a workspace has as many slow answers as it may have. */
  async areTooMany(workspaceId: string): Promise<boolean> {
    const { runs, clock, answersAtOnce } = this.#ports;
    if ((this.#watched.get(workspaceId) ?? 0) <= clock.now()) return false;
    const max = answersAtOnce * MAX_SLOW_SHARE;
    return (await runs.count(workspaceId, max)) >= max;
  }

  /** Counts an answer from the moment when it is slow to its end. */
  async whileCounted<T>(
    { workspaceId, messageId, untilMs }: { workspaceId: string; messageId: string; untilMs: number },
    answer: () => Promise<T>,
  ): Promise<T> {
    const { runs, clock, onUncounted } = this.#ports;
    let counted: Promise<void> | null = null;
    const timer = setTimeout(() => {
      this.#watched.set(workspaceId, clock.now() + WATCHED_MS);
      counted = runs.add(workspaceId, messageId, untilMs).catch(onUncounted);
    }, this.#slowMs);
    try {
      return await answer();
    } finally {
      clearTimeout(timer);
      // Not before it is there, or it would stay.
      await (counted as Promise<void> | null)?.then(() => runs.remove(workspaceId, messageId)).catch(onUncounted);
    }
  }
}
