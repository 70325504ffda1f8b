import type { Worker } from '../shared/worker.ts';
import { beginRuns, runNodes } from './run-access.ts';

/** The maximum lifetime of a function, so that most runs continue only once; shorter than the queue's visibility time-out. */
const PROCESS_TIMEOUT_SECONDS = 15 * 60;

export const processRunWorker = {
  id: 'workflows.process-run',
  doc: { summary: 'Continues runs of workflows from their records, one message each' },
  limits: { timeoutSeconds: PROCESS_TIMEOUT_SECONDS, memoryMb: 512 },
  // Runs of sub-workflows are queued, too.
  access: {
    ...runNodes,
    // Answers that come after the decision of a person go to the conversation of their run, and to its channel.
    tables: { ...runNodes.tables, channels: 'read-write', conversations: 'read-write' },
    queues: { runs: 'consume-and-send', 'deliveries-high': 'send', 'deliveries-normal': 'send' },
    // Mails notify members of approvals and forms.
    outbox: 'add',
  },
} as const satisfies Worker;

export const failRunWorker = {
  id: 'workflows.fail-run',
  doc: { summary: 'Ends the runs of workflows that could not be continued' },
  limits: { timeoutSeconds: 60, memoryMb: 256 },
  access: { tables: { runs: 'read-write', usage: 'add' }, queues: { runs: 'consume-dead-letters' } },
} as const satisfies Worker;

export const reconcileRunsWorker = {
  id: 'workflows.reconcile-runs',
  doc: { summary: 'Resumes runs of workflows that a crash left behind, or whose wait is over' },
  limits: { timeoutSeconds: 5 * 60, memoryMb: 256 },
  access: { tables: { runs: 'read-write', usage: 'add' }, queues: { runs: 'send' } },
} as const satisfies Worker;

export const fireSchedulesWorker = {
  id: 'workflows.fire-schedules',
  doc: { summary: 'Begins the runs of schedules that are due, each minute' },
  limits: { timeoutSeconds: 60, memoryMb: 256 },
  access: { ...beginRuns, tables: { ...beginRuns.tables, workflows: 'read-write' } },
} as const satisfies Worker;
