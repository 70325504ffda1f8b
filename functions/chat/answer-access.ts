import { READ_TABLE } from '../extraction/domain/read-table.ts';
import { MAKE_FILE } from '../sandbox/domain/make-file.ts';
import { RUN_PROGRAM } from '../sandbox/domain/run-program.ts';
import { type Access, bucket, invoke, queue, table } from '../shared/access.ts';

/** The access of models, tools and knowledge, which answer in any function. */
export const askModels: Access = [
  table('accounts', 'BatchGetItem', 'ConditionCheckItem', 'GetItem', 'Query'),
  table('applications', 'GetItem', 'Query'),
  table('knowledge', 'GetItem', 'Query'),
  table('usage', 'UpdateItem'),
  bucket('knowledge', 'GetObject'),
  invoke(RUN_PROGRAM, MAKE_FILE, READ_TABLE),
  'secrets:open',
  'chat-models',
  'web-search:ask',
  'token-budgets',
  'charges:chat',
  // Documents are read where they are used.
  'pdf',
];

/** The access of `WorkflowAnswers`: the run of a workflow answers in the same function. */
export const answerByWorkflow: Access = [
  table('runs', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
  bucket('runs', 'GetObject', 'PutObject'),
  table('workflows', 'GetItem', 'Query'),
  queue('runs', 'send'),
];
