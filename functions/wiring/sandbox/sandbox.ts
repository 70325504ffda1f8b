import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoUsage } from '../../adapters/accounts/dynamo-usage.ts';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { taskOfEvent } from '../../adapters/runner/ecs-runner-tasks.ts';
import { DynamoExecutionLeases } from '../../adapters/sandbox/dynamo-execution-leases.ts';
import { DynamoExecutions } from '../../adapters/sandbox/dynamo-executions.ts';
import { DynamoOpenExecutions } from '../../adapters/sandbox/dynamo-open-executions.ts';
import { DynamoSessions } from '../../adapters/sandbox/dynamo-sessions.ts';
import { ExecutionContents } from '../../adapters/sandbox/execution-contents.ts';
import { countMetric } from '../../adapters/shared/count-metric.ts';
import { jitteredBackoff, systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { countDeadLetter } from '../../adapters/sqs/dead-letters.ts';
import { type MessageQueue, queueByUrl } from '../../adapters/sqs/queue-by-url.ts';
import type { ExecutePorts } from '../../sandbox/domain/execute.ts';
import type { ExecutionId } from '../../sandbox/domain/execution.ts';
import type { FileRenderer } from '../../sandbox/domain/files/make-file.ts';
import type { InputUploadLinks, InputUploadPorts, InputUploads } from '../../sandbox/domain/input-uploads.ts';
import type { OutputFileLinks, OutputFileStore } from '../../sandbox/domain/output-files.ts';
import type { PoolPorts } from '../../sandbox/domain/reconcile-pool.ts';
import type { RegisterPorts } from '../../sandbox/domain/register-runner.ts';
import { RunCharges } from '../../sandbox/domain/run-charges.ts';
import { type KeptSessions, type SandboxPool, SandboxUnavailable } from '../../sandbox/domain/sandbox-pool.ts';
import type { SubmitPorts } from '../../sandbox/domain/submit.ts';
import type { Pause } from '../../sandbox/domain/supervise-run.ts';
import { toProblem } from '../../sandbox/http-errors.ts';
import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import { NO_FREE_RUNNERS } from '../../shared/metric-names.ts';
import { heldFunds } from '../accounts/held-funds.ts';
import { httpPorts } from '../shared/http.ts';

export const http = { ...httpPorts, toProblem };

export const clock = systemClock;
export const onDeadLetter = countDeadLetter;

/** Counts a minute in which no runner was free. */
export const countNoIdleRunners = (): Promise<void> => countMetric(NO_FREE_RUNNERS);

/** The runners of this deployment. */
export function sandboxPool(): SandboxPool & KeptSessions {
  const { SANDBOX } = environment('SANDBOX');
  const pool = memoizeAsync(async () => {
    if (SANDBOX === undefined) throw new SandboxUnavailable('Code execution is not set up in this deployment.');
    if (SANDBOX === 'fargate') {
      const { fargateSandboxPool } = await import('../../adapters/runner/fargate-sandbox-pool.ts');
      return fargateSandboxPool(openInput);
    }
    if (SANDBOX === 'containers') {
      const { containerSandboxPool } = await import('../../adapters/runner/container-sandbox-pool.ts');
      return containerSandboxPool(openInput);
    }
    const { embeddedSandboxPool } = await import('../../adapters/runner/embedded-sandbox-pool.ts');
    return embeddedSandboxPool(openInput);
  });
  return {
    languages: async () => (await pool()).languages(),
    run: async (...program) => (await pool()).run(...program),
    endSessions: async (...session) => (await pool()).endSessions(...session),
  };
}

/** The sessions that runners keep; none where there are no runners. */
export function keptSessions(): KeptSessions {
  const { SANDBOX } = environment('SANDBOX');
  return SANDBOX === undefined ? { endSessions: async () => false } : sandboxPool();
}

/** Programs and outputs of executions. */
function executionContents(): ExecutionContents {
  const { EXECUTIONS_BUCKET } = environment('EXECUTIONS_BUCKET');
  // Loaded at first use: most programs and outputs are small.
  const large = memoizeAsync(async () => {
    const [{ S3Objects }, { s3Client }] = await Promise.all([
      import('../../adapters/s3/s3-objects.ts'),
      import('../../adapters/s3/client.ts'),
    ]);
    return new S3Objects(EXECUTIONS_BUCKET, s3Client());
  });
  return new ExecutionContents(large);
}

/** Files of results that are too large for a response. */
export function outputFiles(): OutputFileStore & OutputFileLinks {
  const { EXECUTIONS_BUCKET } = environment('EXECUTIONS_BUCKET');
  // Loaded at first use: most results have no files.
  const files = memoizeAsync(async () => {
    const [{ S3OutputFiles }, { s3Client }] = await Promise.all([
      import('../../adapters/sandbox/s3-output-files.ts'),
      import('../../adapters/s3/client.ts'),
    ]);
    return new S3OutputFiles(EXECUTIONS_BUCKET, s3Client());
  });
  return {
    put: async (...file) => (await files()).put(...file),
    link: async (object) => (await files()).link(object),
  };
}

/** For documents and charts. */
export function filePorts() {
  const renderer = memoizeAsync(async () => {
    const { threadedRenderer } = await import('../../adapters/documents/render-thread.ts');
    return threadedRenderer();
  });
  const render: FileRenderer['render'] = async (...work) => (await renderer()).render(...work);
  return { renderer: { render }, files: outputFiles() };
}

const s3InputUploads = memoizeAsync(async () => {
  const { EXECUTIONS_BUCKET } = environment('EXECUTIONS_BUCKET');
  const [{ S3InputUploads }, { s3Client }] = await Promise.all([
    import('../../adapters/sandbox/s3-input-uploads.ts'),
    import('../../adapters/s3/client.ts'),
  ]);
  return new S3InputUploads(EXECUTIONS_BUCKET, s3Client());
});

/** Files of requests that were uploaded before. */
const uploads: InputUploads = {
  keyOf: async (address) => (await s3InputUploads()).keyOf(address),
  sizeOf: async (key) => (await s3InputUploads()).sizeOf(key),
};
const openInput = async (key: string) => (await s3InputUploads()).open(key);

export function inputUploadLinks() {
  const { EXECUTIONS_BUCKET } = environment('EXECUTIONS_BUCKET');
  const putLink: InputUploadLinks['putLink'] = async (...put) => {
    const { S3UploadLinks } = await import('../../adapters/extraction/s3-upload-links.ts');
    return new S3UploadLinks(EXECUTIONS_BUCKET).putLink(...put);
  };
  return { links: { putLink }, ids: ulidIds };
}

/** Recorded executions. @param contents null where neither programs nor outputs are read or written. */
export function executions(contents: ExecutionContents | null = executionContents()): DynamoExecutions {
  const { EXECUTIONS_TABLE } = environment('EXECUTIONS_TABLE');
  return new DynamoExecutions(dynamoClient(), EXECUTIONS_TABLE, contents, systemClock);
}

/** Where no run is ended. */
export function executionLeases(): DynamoExecutionLeases {
  const { EXECUTIONS_TABLE } = environment('EXECUTIONS_TABLE');
  return new DynamoExecutionLeases(dynamoClient(), EXECUTIONS_TABLE, null, null);
}

export function openExecutions(): DynamoOpenExecutions {
  const { EXECUTIONS_TABLE } = environment('EXECUTIONS_TABLE');
  return new DynamoOpenExecutions(dynamoClient(), EXECUTIONS_TABLE);
}

export function sessions(): DynamoSessions {
  const { EXECUTIONS_TABLE } = environment('EXECUTIONS_TABLE');
  return new DynamoSessions(dynamoClient(), EXECUTIONS_TABLE, systemClock);
}

/** Executions that wait for a worker. */
export function executionQueue(): MessageQueue<ExecutionId> {
  const { EXECUTIONS_QUEUE_URL } = environment('EXECUTIONS_QUEUE_URL');
  return queueByUrl(EXECUTIONS_QUEUE_URL);
}

const pause: Pause = {
  wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
};

/** Null where programs are free. */
function runCharges(): RunCharges | null {
  const { PRICE_SANDBOX_KRW_PER_SECOND: krwPerSecond } = environment('PRICE_SANDBOX_KRW_PER_SECOND');
  return krwPerSecond === 0 ? null : new RunCharges({ funds: heldFunds(), clock: systemClock, krwPerSecond });
}

export function executePorts() {
  const contents = executionContents();
  const { EXECUTIONS_TABLE, USAGE_TABLE } = environment('EXECUTIONS_TABLE', 'USAGE_TABLE');
  const charges = runCharges();
  const accounts = charges && { accounts: environment('ACCOUNTS_TABLE').ACCOUNTS_TABLE, usage: USAGE_TABLE };
  return {
    charges,
    pool: sandboxPool(),
    executions: executions(contents),
    leases: new DynamoExecutionLeases(dynamoClient(), EXECUTIONS_TABLE, contents, USAGE_TABLE, accounts),
    usage: new DynamoUsage(dynamoClient(), USAGE_TABLE, jitteredBackoff),
    files: outputFiles(),
    uploads,
    ids: ulidIds,
    clock: systemClock,
    pause,
    onLost: (error: unknown) =>
      logger().error('A program was lost in the middle of its run', { error: error as Error }),
    onUnrecorded: (executionId: string, error: unknown) =>
      logger().error('The end of an execution could not be recorded', { executionId, error: error as Error }),
  } satisfies ExecutePorts & InputUploadPorts;
}

/** For the worker of executions, for which no client waits. */
export function backgroundPorts() {
  const { pool, ...ports } = executePorts();
  const run: SandboxPool['run'] = (program, caller) => pool.run(program, { ...caller, isBackground: true });
  return { ...ports, pool: { ...pool, run } };
}

export function submitPorts() {
  return {
    pool: sandboxPool(),
    charges: runCharges(),
    executions: executions(),
    queue: executionQueue(),
    uploads,
    ids: ulidIds,
    clock: systemClock,
    onUnsent: (executionId: string, error: unknown) =>
      logger().error('An execution could not be queued; the reconciler will do it', {
        executionId,
        error: error as Error,
      }),
  } satisfies SubmitPorts & InputUploadPorts;
}

/** State of a runner's task by an event of ECS. */
export const runnerTaskOf = taskOfEvent;

export const registerPorts: () => Promise<RegisterPorts> = memoizeAsync(async () => {
  const { runnerClient, runnerRegistry } = await import('../../adapters/runner/fargate-sandbox-pool.ts');
  return { store: runnerRegistry(), client: runnerClient(0), pause: (ms: number) => sleep(ms) };
});

export const poolPorts: () => Promise<PoolPorts> = memoizeAsync(async () => {
  const { RUNNERS_CLUSTER: cluster, RUNNERS_SERVICE: service } = environment('RUNNERS_CLUSTER', 'RUNNERS_SERVICE');
  const [{ ECSClient }, { EcsRunnerService }, { runnerRegistry }] = await Promise.all([
    import('@aws-sdk/client-ecs'),
    import('../../adapters/runner/ecs-runner-service.ts'),
    import('../../adapters/runner/fargate-sandbox-pool.ts'),
  ]);
  const tasks = new EcsRunnerService(new ECSClient({}), { cluster, service });
  return { store: runnerRegistry(), service: tasks, clock: systemClock };
});
