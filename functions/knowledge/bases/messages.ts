import * as z from 'zod';
import type { Messages } from '../../shared/leases/process-batch.ts';
import { queues } from '../../shared/resources.ts';
import type { KnowledgeMessage } from '../domain/knowledge-ports.ts';

/** Messages that name a document to index, or a base to clean up. */
export const knowledgeMessages: Messages<KnowledgeMessage> = {
  schema: z.object({ workspaceId: z.string(), baseId: z.string(), documentId: z.string().nullable() }),
  retries: {
    firstMs: 10_000,
    factor: 2,
    maxMs: queues.knowledge.visibilityTimeoutSeconds * 1000,
    jitter: 0.5,
  },
};
