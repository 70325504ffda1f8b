import type { RunningWork } from '../../shared/ports/running-work.ts';

/** Counts the work of the one process that does all of it: it ends with the process. */
export class ProcessRunningWork implements RunningWork {
  readonly #running = new Map<string, number>();

  async begin(workspaceId: string, _workId: string, max: number) {
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
