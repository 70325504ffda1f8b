import { bucket, queue, table } from '../shared/access.ts';
import type { Worker } from '../shared/worker.ts';
import { runNodes } from './run-access.ts';

/** The maximum lifetime of a function, so that most runs continue only once; shorter than the queue's visibility time-out. */
const PROCESS_TIMEOUT_SECONDS = 15 * 60;

export const processRunWorker = {
  id: 'workflows.process-run',
  doc: { summary: 'Continues runs of workflows from their records, one message each' },
  limits: { timeoutSeconds: PROCESS_TIMEOUT_SECONDS, memoryMb: 512 },
  // Runs of sub-workflows are queued, too.
  access: [
    ...runNodes,
    // Answers that come after the decision of a person go to the conversation of their run, and to its channel.
    table('channels', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    table('conversations', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    queue('runs', 'consume'),
    queue('deliveries-high', 'send'),
    queue('deliveries-normal', 'send'),
    // Mails notify members of approvals and forms.
    'outbox:add',
  ],
} as const satisfies Worker;

export const failRunWorker = {
  id: 'workflows.fail-run',
  doc: { summary: 'Ends the runs of workflows that could not be continued' },
  limits: { timeoutSeconds: 60, memoryMb: 256 },
  access: [
    table('runs', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    table('usage', 'UpdateItem'),
    bucket('runs', 'GetObject', 'PutObject'),
    queue('runs', 'consume-dead-letters'),
  ],
} as const satisfies Worker;

export const reconcileRunsWorker = {
  id: 'workflows.reconcile-runs',
  doc: { summary: 'Resumes runs of workflows that a crash left behind, or whose wait is over' },
  limits: { timeoutSeconds: 5 * 60, memoryMb: 256 },
  access: [
    table('runs', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    table('usage', 'UpdateItem'),
    bucket('runs', 'GetObject', 'PutObject'),
    queue('runs', 'send'),
  ],
} as const satisfies Worker;

export const fireSchedulesWorker = {
  id: 'workflows.fire-schedules',
  doc: { summary: 'Starts the runs of schedules that are due, each minute' },
  limits: { timeoutSeconds: 60, memoryMb: 256 },
  access: [
    table('accounts', 'BatchGetItem', 'ConditionCheckItem', 'GetItem'),
    table('runs', 'GetItem', 'PutItem'),
    table('workflows', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    bucket('runs', 'GetObject', 'PutObject'),
    queue('runs', 'send'),
  ],
} as const satisfies Worker;
