import type { RunningWork } from '../../../shared/ports/running-work.ts';
import type { RunId, RunTrigger } from './run.ts';
import { RunRefused } from './run-refused.ts';

/** Of runs within others: the runs around them have started already, and end only if these can start. */
const ROOM_WITHIN = 2;

export interface RunSharesPorts {
  readonly running: RunningWork;
  /** Runs of one workspace at the same time that requests wait for. */
  readonly maxRuns: number;
  /** Called when a run could not be counted. */
  readonly onFault: (runId: string, error: unknown) => void;
}

/** The runs that requests of a workspace wait for, those within them included: they hold functions and memory that others need. */
export class RunShares {
  readonly #ports: RunSharesPorts;

  constructor(ports: RunSharesPorts) {
    this.#ports = ports;
  }

  /**
   * Counts a run. Where it cannot be counted it runs all the same.
   * @returns what ends it, and does not throw. @throws RunRefused 'too_many_runs'
   */
  async begin({ workspaceId, runId }: RunId, kind: RunTrigger['kind']): Promise<() => Promise<void>> {
    const { running, maxRuns, onFault } = this.#ports;
    const max = kind === 'workflow' ? ROOM_WITHIN * maxRuns : maxRuns;
    const uncounted = (error: unknown) => onFault(runId, error);
    const end = await running.begin(workspaceId, runId, max).catch((error: unknown) => {
      uncounted(error);
      return async () => undefined;
    });
    if (end === null)
      throw new RunRefused(
        'too_many_runs',
        `${max} runs of this workspace are under way. Send this request again when some of them have ended.`,
      );
    return () => end().catch(uncounted);
  }

  /** @throws RunRefused 'too_many_runs', and as `work` */
  async within<T>(id: RunId, kind: RunTrigger['kind'], work: () => Promise<T>): Promise<T> {
    const end = await this.begin(id, kind);
    try {
      return await work();
    } finally {
      await end();
    }
  }
}
