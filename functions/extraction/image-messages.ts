import * as z from 'zod';
import type { Messages } from '../shared/leases/process-batch.ts';
import { queues } from '../shared/resources.ts';
import type { ImageId } from './domain/image-outcome.ts';

/** Messages that name an image of a batch. */
export const imageMessages: Messages<ImageId> = {
  schema: z.object({ workspaceId: z.string(), jobId: z.string(), index: z.int().nonnegative() }),
  retries: {
    firstMs: 10_000,
    factor: 2,
    maxMs: queues['batch-images'].visibilityTimeoutSeconds * 1000,
    // Images that a busy service has turned away were turned away together.
    jitter: 0.5,
  },
};
