import { type Access, bucket, queue, table } from '../shared/access.ts';
import type { Worker } from '../shared/worker.ts';
import { MAKE_FILE } from './domain/make-file.ts';
import { RUN_PROGRAM } from './domain/run-program.ts';
import { EXECUTE_REQUEST } from './execute-request.ts';
import { executeRoute } from './routes.ts';

/** The longest run, a wait for its runner, and the writes around it; shorter than the queue's visibility time-out. */
const PROCESS_TIMEOUT_SECONDS = 300 + 30;

const runPrograms: Access = [
  table('executions', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
  table('usage', 'UpdateItem'),
  bucket('executions', 'DeleteObject', 'GetObject', 'PutObject'),
  'charges:sandbox',
  'runners:run',
];

export const processExecutionWorker = {
  id: 'sandbox.process-execution',
  doc: { summary: 'Runs the executions that were asked for asynchronously, one message each' },
  limits: { timeoutSeconds: PROCESS_TIMEOUT_SECONDS, memoryMb: 256 },
  access: [
    table('executions', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    table('usage', 'UpdateItem'),
    bucket('executions', 'DeleteObject', 'GetObject', 'PutObject'),
    queue('executions', 'consume'),
    'charges:sandbox',
    'runners:run',
  ],
} as const satisfies Worker;

export const runProgramWorker = {
  id: RUN_PROGRAM,
  doc: { summary: 'Runs programs of chat applications and workflows, for the functions of those' },
  limits: { timeoutSeconds: PROCESS_TIMEOUT_SECONDS, memoryMb: 256 },
  access: runPrograms,
} as const satisfies Worker;

export const executeRequestWorker = {
  id: EXECUTE_REQUEST,
  doc: { summary: 'Runs programs for tools of agents, for the MCP endpoint' },
  limits: { timeoutSeconds: executeRoute.limits.timeoutSeconds, memoryMb: 256 },
  access: runPrograms,
} as const satisfies Worker;

/** A document of the largest size takes seconds; memory brings the processor that goes with it. */
export const makeFileWorker = {
  id: MAKE_FILE,
  doc: { summary: 'Makes documents and charts for chat applications and workflows, for the functions of those' },
  limits: { timeoutSeconds: 60, memoryMb: 1024 },
  access: [bucket('executions', 'GetObject', 'PutObject')],
} as const satisfies Worker;

/** A task is registered when it answers, which takes it seconds. */
export const registerRunnerWorker = {
  id: 'sandbox.register-runner',
  doc: { summary: 'Registers the runners that are started, and removes those that end' },
  limits: { timeoutSeconds: 60, memoryMb: 256 },
  access: ['runners:note'],
} as const satisfies Worker;

export const reconcilePoolWorker = {
  id: 'sandbox.reconcile-pool',
  doc: { summary: 'Keeps idle runners in addition to those in use, and reconciles their registry' },
  limits: { timeoutSeconds: 50, memoryMb: 256 },
  access: ['runners:tend'],
} as const satisfies Worker;

export const failExecutionWorker = {
  id: 'sandbox.fail-execution',
  doc: { summary: 'Ends the executions that could not be started' },
  limits: { timeoutSeconds: 25, memoryMb: 256 },
  access: [table('executions', 'DeleteItem', 'GetItem', 'UpdateItem'), queue('executions', 'consume-dead-letters')],
} as const satisfies Worker;

export const reconcileExecutionsWorker = {
  id: 'sandbox.reconcile-executions',
  doc: { summary: 'Queues or ends the executions that a crash left behind' },
  limits: { timeoutSeconds: 5 * 60, memoryMb: 256 },
  access: [table('executions', 'DeleteItem', 'GetItem', 'Query', 'UpdateItem'), queue('executions', 'send')],
} as const satisfies Worker;
