import { askModels } from '../chat/answer-access.ts';
import type { Access } from '../shared/access.ts';

/** The access needed to queue a run. */
export const beginRuns = {
  tables: { accounts: 'read', runs: 'read-write', workflows: 'read' },
  queues: { runs: 'send' },
} as const satisfies Access;

/** The access needed to run nodes, in any function. */
export const runNodes = {
  ...askModels,
  tables: { ...askModels.tables, ...beginRuns.tables },
  queues: beginRuns.queues,
} as const satisfies Access;
