import type { AnswerRuns } from '../../channels/domain/answer-shares.ts';

/** Counts the answers of the one process that makes all of them. */
export class ProcessAnswerRuns implements AnswerRuns {
  readonly #running = new Map<string, number>();

  async begin(workspaceId: string, _messageId: string, _untilMs: number, max: number) {
    const count = this.#running.get(workspaceId) ?? 0;
    if (count >= max) return null;
    this.#running.set(workspaceId, count + 1);
    return async () => {
      const left = (this.#running.get(workspaceId) ?? 1) - 1;
      if (left === 0) this.#running.delete(workspaceId);
      else this.#running.set(workspaceId, left);
    };
  }
}
