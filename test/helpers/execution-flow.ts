import { randomBytes } from 'node:crypto';
import { HeldFunds } from '../../functions/accounts/domain/hold-funds.ts';
import { DynamoAccounts } from '../../functions/adapters/accounts/dynamo-accounts.ts';
import { DynamoHolds } from '../../functions/adapters/accounts/dynamo-holds.ts';
import { DynamoUsage } from '../../functions/adapters/accounts/dynamo-usage.ts';
import { DynamoExecutionLeases } from '../../functions/adapters/sandbox/dynamo-execution-leases.ts';
import { DynamoExecutions } from '../../functions/adapters/sandbox/dynamo-executions.ts';
import { DynamoOpenExecutions } from '../../functions/adapters/sandbox/dynamo-open-executions.ts';
import { DynamoSessions } from '../../functions/adapters/sandbox/dynamo-sessions.ts';
import { ExecutionContents } from '../../functions/adapters/sandbox/execution-contents.ts';
import { ulidIds } from '../../functions/adapters/shared/system-ports.ts';
import type { Execution, ExecutionId, ExecutionRequest } from '../../functions/sandbox/domain/execution.ts';
import { processExecution } from '../../functions/sandbox/domain/process-execution.ts';
import { DEFAULT_RESOURCES, type Run, type RunOutcome } from '../../functions/sandbox/domain/run.ts';
import { RunCharges } from '../../functions/sandbox/domain/run-charges.ts';
import type { RunCaller } from '../../functions/sandbox/domain/sandbox-pool.ts';
import { submit } from '../../functions/sandbox/domain/submit.ts';
import { testClock } from './clock.ts';
import { type EmbeddedDynamo, TABLES } from './embedded-dynamo.ts';
import { instantBackoff, memoryBucket, messageList } from './fakes.ts';
import { type Fault, faultyPorts } from './faulty-ports.ts';

/** How long a worker of these tests may live. */
export const LEASE_SECONDS = 330;

export const HELLO: RunOutcome = { kind: 'finished', stdout: 'hello\n', stderr: '', exitCode: 0, seconds: 0.1 };

export const program = (rest: Partial<ExecutionRequest> = {}): ExecutionRequest => ({
  language: 'python',
  code: 'print("hello")',
  stdin: '',
  environment: {},
  timeoutSeconds: 30,
  resources: DEFAULT_RESOURCES,
  sessionId: null,
  ...rest,
});

type FakeRun = (run: Run, caller: RunCaller) => Promise<RunOutcome>;

/** Where programs cost something: the workspace has an account. */
export interface FlowPrice {
  readonly workspaceId: string;
  readonly krwPerSecond: number;
}

/** A workspace's executions over the embedded DynamoDB, the messages in a list; only the programs are not run, but counted. */
export function executionFlow(dynamo: EmbeddedDynamo, price: FlowPrice | null = null) {
  const clock = testClock();
  const { workspaceId } = price ?? { workspaceId: `ws_${randomBytes(8).toString('hex')}` };
  const { stored, large } = memoryBucket();
  const contents = new ExecutionContents(large);
  const executions = new DynamoExecutions(dynamo.client, TABLES.executions, contents, clock);
  const leases = new DynamoExecutionLeases(dynamo.client, TABLES.executions, contents, TABLES.usage, TABLES);
  const openExecutions = new DynamoOpenExecutions(dynamo.client, TABLES.executions);
  const sessions = new DynamoSessions(dynamo.client, TABLES.executions, clock);
  const { messages, queue } = messageList<ExecutionId>();
  const background: Promise<unknown>[] = [];
  const runs: Run[] = [];
  const how: { run: FakeRun } = { run: async () => HELLO };
  const ports = {
    executions,
    leases,
    usage: new DynamoUsage(dynamo.client, TABLES.usage, instantBackoff),
    openExecutions,
    sessions,
    queue,
    pool: {
      languages: async () => [{ name: 'python' as const, version: '3' }],
      run: (run: Run, caller: RunCaller) => {
        runs.push(run);
        return how.run(run, caller);
      },
    },
    ids: ulidIds,
    clock,
    // Until the run is over: tests of the polling pass another pause.
    pause: {
      wait: (_: number, signal: AbortSignal) =>
        new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
    },
    onLost: () => undefined,
    files: { put: async () => 'object' },
    kept: { endSessions: async () => false },
    onUnsent: () => undefined,
    onUnrecorded: () => undefined,
    accounts: new DynamoAccounts(dynamo.client, TABLES.accounts),
    holds: new DynamoHolds(dynamo.client, TABLES),
    charges: null,
  };
  /** The ports with charges that go through them. */
  const charged = (through: typeof ports) => {
    if (price === null) return through;
    const fundsPorts = { ...through, backoff: instantBackoff, onUnreleased: () => undefined };
    const { krwPerSecond } = price;
    return {
      ...through,
      charges: new RunCharges({ funds: new HeldFunds(fundsPorts), clock: through.clock, krwPerSecond }),
    };
  };
  return {
    ...{ clock, workspaceId, ports, charged, messages, runs, how, stored },
    /** A client whose calls are counted before the next step of a test. */
    caller: { workspaceId, background: (work: Promise<unknown>) => void background.push(work.catch(() => undefined)) },
    counted: () => Promise.all(background),
    submit: (rest: Partial<ExecutionRequest> = {}): Promise<Execution> =>
      submit({ workspaceId }, program(rest), charged(ports)),
    /** One delivery of a message; 'retry' if it must be delivered again. */
    async work(id: ExecutionId, fault: Fault | null = null, at: number | string = 0) {
      const { ports: faulty, calls } = faultyPorts(ports, fault, at);
      const untilMs = clock.now() + LEASE_SECONDS * 1000;
      const outcome = await processExecution(id, untilMs, charged(faulty)).catch(() => 'retry' as const);
      return { outcome, calls };
    },
    lapse: () => clock.advance(LEASE_SECONDS + 1),
    /** The execution and its output. */
    async found(executionId: string) {
      const found = await executions.findWithOutput({ workspaceId, executionId });
      return found && { ...found.execution, output: found.output };
    },
    async open() {
      const ids: string[] = [];
      for await (const id of openExecutions.list()) if (id.workspaceId === workspaceId) ids.push(id.executionId);
      return ids;
    },
    /** Every item that the workspace has left in the table. */
    async traces() {
      const items = await dynamo.items('executions');
      return items.filter((item) => item.workspaceId === workspaceId);
    },
  };
}

export type ExecutionFlow = ReturnType<typeof executionFlow>;
