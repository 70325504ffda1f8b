import * as z from 'zod';
import type { Messages } from '../shared/leases/process-batch.ts';
import type { RunId } from './domain/run/run.ts';

/** Messages of the queue of runs. A run that another function holds comes again until that one has let go of it. */
export const runMessages: Messages<RunId> = {
  schema: z.object({ workspaceId: z.string(), runId: z.string() }),
  retries: { firstMs: 5_000, factor: 2, maxMs: 300_000 },
};
