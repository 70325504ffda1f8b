import { READ_TABLE } from '../extraction/domain/read-table.ts';
import { MAKE_FILE } from '../sandbox/domain/make-file.ts';
import { RUN_PROGRAM } from '../sandbox/domain/run-program.ts';
import type { Access } from '../shared/access.ts';

/** The access of models, tools and knowledge, which answer in any function. */
export const askModels = {
  tables: { accounts: 'read', applications: 'read', knowledge: 'read', usage: 'add' },
  knowledge: 'read',
  secrets: 'open',
  chatModels: true,
  webSearch: 'ask',
  tokenBudgets: true,
  charges: 'chat',
  // Documents are read where they are used.
  pdf: true,
  invokes: [RUN_PROGRAM, MAKE_FILE, READ_TABLE],
} as const satisfies Access;

/** The access of `WorkflowAnswers`: the run of a workflow answers in the same function. */
export const answerByWorkflow = {
  tables: { runs: 'read-write', workflows: 'read' },
  queues: { runs: 'send' },
} as const satisfies Access;
