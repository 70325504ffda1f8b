import * as z from 'zod';
import type { Messages } from '../shared/leases/process-batch.ts';
import type { RunId } from './domain/run/run.ts';
import type { EventMessage } from './domain/triggers/queue-by-event.ts';

export type RunMessage = RunId | EventMessage;

/**
 * Messages of the queue of runs: a run to resume, or an event that starts one. A run that another function holds comes again until that
 * function has released it.
 */
export const runMessages: Messages<RunMessage> = {
  schema: z.union([
    z.object({ workspaceId: z.string(), runId: z.string() }),
    z.object({
      workspaceId: z.string(),
      workflowId: z.string(),
      triggerId: z.string(),
      event: z.object({ id: z.string(), data: z.looseObject({}) }),
    }),
  ]),
  retries: { firstMs: 5_000, factor: 2, maxMs: 300_000 },
};
