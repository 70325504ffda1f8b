import type { Clock } from '../../shared/ports/clock.ts';
import type { RunningWork } from '../../shared/ports/running-work.ts';
import { SlowWorkspaces } from './give-way.ts';

/** Of the answers at the same time, how many a workspace may have: the other workers stay free for others. */
const MAX_SHARE = 0.75;

export interface AnswerSharesPorts {
  /** The answers that are being made, by all workers. */
  readonly running: RunningWork;
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
    { workspaceId, messageId }: { readonly workspaceId: string; readonly messageId: string },
    answer: () => Promise<T>,
  ): Promise<Shared<T>> {
    const { running, clock, answersAtOnce, onUncounted } = this.#ports;
    const max = Math.max(1, Math.floor(answersAtOnce * MAX_SHARE));
    // Where it cannot be counted it is made all the same.
    const run = await running.begin(workspaceId, messageId, max).catch((error: unknown) => {
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
