import * as z from 'zod';
import type { Messages } from '../shared/leases/process-batch.ts';
import type { ExecutionId } from './domain/execution.ts';

/** Messages that name an execution. Most retries are for want of a free runner: soon at first, and in all for most of an hour. */
export const executionMessages: Messages<ExecutionId> = {
  schema: z.object({ workspaceId: z.string(), executionId: z.string() }),
  retries: { firstMs: 3_000, factor: 1.25, maxMs: 60_000 },
};
