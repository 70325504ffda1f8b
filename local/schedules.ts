import { fireSchedulesWorker } from '../functions/workflows/workers.ts';
import { aroundHandler } from '../gateway/around-handler.ts';
import { type Repeating, repeat } from './repeating.ts';

/** Schedules are planned for minutes, and fire within so long of theirs. */
const PAUSE_MS = 2_000;

/** Stands in for the rule that fires schedules on AWS. */
export function fireSchedulesRepeatedly(): Repeating {
  return repeat(
    async () => {
      // Only now: the module reads the environment, which the service has just made.
      const { handler } = await import('../functions/workflows/handlers/fire-schedules.ts');
      await aroundHandler(fireSchedulesWorker.id, handler)();
    },
    { firstAfterMs: PAUSE_MS, pauseMs: PAUSE_MS },
  );
}
