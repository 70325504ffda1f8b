import { READ_TABLE } from '../extraction/domain/read-table.ts';
import { MAKE_FILE } from '../sandbox/domain/make-file.ts';
import { RUN_PROGRAM } from '../sandbox/domain/run-program.ts';
import type { Access } from '../shared/access.ts';

/** The access needed to queue a run. */
export const beginRuns = {
  tables: { accounts: 'read', runs: 'read-write', workflows: 'read' },
  queues: { runs: 'send' },
} as const satisfies Access;

/** The access needed to run nodes, in any function. */
export const runNodes = {
  tables: {
    accounts: 'read',
    applications: 'read',
    knowledge: 'read',
    runs: 'read-write',
    usage: 'add',
    workflows: 'read',
  },
  knowledge: 'read',
  queues: { runs: 'send' },
  secrets: 'open',
  chatModels: true,
  webSearch: 'ask',
  tokenBudgets: true,
  charges: 'chat',
  // Documents are read where they are used.
  pdf: true,
  invokes: [RUN_PROGRAM, MAKE_FILE, READ_TABLE],
} as const satisfies Access;
