import { eraseDataWorker } from '../functions/accounts/workers.ts';
import { aroundHandler } from '../gateway/around-handler.ts';
import { type Repeating, repeat } from './repeating.ts';

/** As the schedule does on AWS. */
const PAUSE_MS = 60 * 60_000;
/** Must delay neither the start nor the first requests. */
const FIRST_MS = 2 * 60_000;

/** Stands in for the schedule that erases data on AWS. */
export function eraseRepeatedly(): Repeating {
  return repeat(
    async () => {
      // Only now: the module reads the environment, which the service has just made.
      const { handler } = await import('../functions/accounts/handlers/erase-data.ts');
      const timeoutMs = eraseDataWorker.limits.timeoutSeconds * 1000;
      await aroundHandler(eraseDataWorker.id, handler)({}, { getRemainingTimeInMillis: () => timeoutMs });
    },
    { firstAfterMs: FIRST_MS, pauseMs: PAUSE_MS },
  );
}
