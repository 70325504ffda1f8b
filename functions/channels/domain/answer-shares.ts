import type { Clock } from '../../shared/ports/clock.ts';
import { SlowWorkspaces } from './give-way.ts';

/** Of the answers at the same time, how many a workspace may have: the other workers stay free for others. */
const MAX_SHARE = 0.75;

/** The answers that are being made, by all workers. */
export interface AnswerRuns {
  /**
   * Counts an answer from its start, unless `max` of its workspace have begun before.
   * @param untilMs when it counts no more, for one whose worker is gone. @returns what ends it; null where there are as many.
   */
  begin(workspaceId: string, messageId: string, untilMs: number, max: number): Promise<(() => Promise<void>) | null>;
}

export interface AnswerSharesPorts {
  readonly runs: AnswerRuns;
  readonly clock: Clock;
  /** Answers that are made at the same time. */
  readonly answersAtOnce: number;
  /** Called when an answer could not be counted. */
  readonly onUncounted: (error: unknown) => void;
}

export type Shared<T> =
  | { readonly kind: 'answered'; readonly answer: T }
  /** The workspace has as many answers as it may have; `isSlow`: they take their time. */
  | { readonly kind: 'full'; readonly isSlow: boolean };

/** Keeps a workspace from holding every worker, however long its models take. */
export class AnswerShares {
  readonly #ports: AnswerSharesPorts;
  readonly #slow: SlowWorkspaces;

  constructor(ports: AnswerSharesPorts) {
    this.#ports = ports;
    this.#slow = new SlowWorkspaces(ports.clock);
  }

  async within<T>(
    { workspaceId, messageId, untilMs }: { workspaceId: string; messageId: string; untilMs: number },
    answer: () => Promise<T>,
  ): Promise<Shared<T>> {
    const { runs, clock, answersAtOnce, onUncounted } = this.#ports;
    const max = Math.max(1, Math.floor(answersAtOnce * MAX_SHARE));
    // Where it cannot be counted it is made all the same.
    const run = await runs.begin(workspaceId, messageId, untilMs, max).catch((error: unknown) => {
      onUncounted(error);
      return async () => undefined;
    });
    if (run === null) return { kind: 'full', isSlow: this.#slow.has(workspaceId) };
    const startedAtMs = clock.now();
    try {
      return { kind: 'answered', answer: await answer() };
    } finally {
      this.#slow.note(workspaceId, startedAtMs);
      await run().catch(onUncounted);
    }
  }
}
