import { randomBytes } from 'node:crypto';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { DynamoRunningWork } from '../../adapters/shared/dynamo-running-work.ts';
import { ProcessRunningWork } from '../../adapters/shared/process-running-work.ts';
import { jitteredBackoff, systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { countDeadLetter } from '../../adapters/sqs/dead-letters.ts';
import { type MessageQueue, queueByUrl } from '../../adapters/sqs/queue-by-url.ts';
import { cronTimes } from '../../adapters/workflows/cron-times.ts';
import { DynamoRunErasures } from '../../adapters/workflows/dynamo-run-erasures.ts';
import { DynamoRunLeases } from '../../adapters/workflows/dynamo-run-leases.ts';
import { DynamoRunPlaces } from '../../adapters/workflows/dynamo-run-places.ts';
import { DynamoOpenRuns, DynamoRuns } from '../../adapters/workflows/dynamo-runs.ts';
import { DynamoTriggers } from '../../adapters/workflows/dynamo-triggers.ts';
import { DynamoWorkflows } from '../../adapters/workflows/dynamo-workflows.ts';
import { RunContents } from '../../adapters/workflows/run-contents.ts';
import { zodSchemaChecks } from '../../adapters/workflows/zod-schema-checks.ts';
import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { memoize } from '../../shared/memoize.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import type { JobCaller } from '../../shared/ports/job-caller.ts';
import { runSubWorkflow } from '../../workflows/domain/effects/run-sub-workflow.ts';
import type { EvaluatePorts } from '../../workflows/domain/evaluate/evaluate-workflow.ts';
import type { Json } from '../../workflows/domain/graph/graph.ts';
import type { ManagePorts } from '../../workflows/domain/manage-workflows.ts';
import type { DecidePorts } from '../../workflows/domain/run/decide-run.ts';
import { eraseRunsOf, type RunSession } from '../../workflows/domain/run/erase-run.ts';
import type { NodeEffects } from '../../workflows/domain/run/node-effects.ts';
import type { ProcessPorts } from '../../workflows/domain/run/process-run.ts';
import type { RunId } from '../../workflows/domain/run/run.ts';
import type { StreamPorts } from '../../workflows/domain/run/run-parts.ts';
import { RunShares } from '../../workflows/domain/run/run-shares.ts';
import type { TemplateChecks } from '../../workflows/domain/template-issues.ts';
import type { FirePorts } from '../../workflows/domain/triggers/fire-schedules.ts';
import type { TriggerPorts } from '../../workflows/domain/triggers/manage-triggers.ts';
import type { TriggeredPorts } from '../../workflows/domain/triggers/triggered-run.ts';
import { toProblem } from '../../workflows/http-errors.ts';
import { WebhookAuthenticator } from '../../workflows/webhook-authenticator.ts';
import { dataSettings } from '../accounts/data-settings.ts';
import { httpPorts } from '../shared/http.ts';
import { secretBox } from '../shared/secret-box.ts';
import { recentTriggers } from '../shared/service-events.ts';
import { effects, pause, threadedTemplates } from './effects.ts';

export const http = { ...httpPorts, toProblem };
export const clock = systemClock;
export const onDeadLetter = countDeadLetter;
export const ids = ulidIds;

export function workflows(): DynamoWorkflows {
  const { WORKFLOWS_TABLE } = environment('WORKFLOWS_TABLE');
  return new DynamoWorkflows(dynamoClient(), WORKFLOWS_TABLE, jitteredBackoff);
}

export function triggers(): DynamoTriggers {
  const { WORKFLOWS_TABLE } = environment('WORKFLOWS_TABLE');
  return new DynamoTriggers(dynamoClient(), WORKFLOWS_TABLE, recentTriggers());
}

export function triggerPorts(): TriggerPorts {
  return {
    triggers: triggers(),
    workflows: workflows(),
    cron: cronTimes,
    secrets: secretBox(),
    random: randomBytes,
    ids,
    clock,
  };
}

/** Queues the runs that triggers start. */
export function triggeredPorts(): TriggeredPorts {
  const stored = { workflows: workflows(), runs: runs(), dataSettings: dataSettings(), queue: runQueue() };
  return { ...stored, ids, clock, random: randomBytes, serviceUrl: serviceUrl(), onFault };
}

/** Senders of webhooks, for a route that takes them. */
export const webhooks = memoize(() => new WebhookAuthenticator({ triggers: triggers(), secrets: secretBox(), clock }));
export const webhookHttp = { ...http, authenticators: { signature: webhooks } };

export function firePorts(): FirePorts {
  const stored = triggers();
  return {
    ...triggeredPorts(),
    triggers: stored,
    schedules: stored,
    cron: cronTimes,
    onFiringFault: (due, error) => logger().error('A schedule could not fire', { ...due, error: error as Error }),
  };
}

/** @throws WorkflowRefused 'invalid_dsl' */
export async function parseYaml(text: string, caller: JobCaller): Promise<Json> {
  const { threadedYaml } = await import('../../adapters/workflows/threaded-yaml.ts');
  return threadedYaml(text, caller);
}

/** Loaded with the first template. */
export const templateChecks: TemplateChecks = {
  faultOf: async (...template) => (await threadedTemplates()).faultOf(...template),
};

export function managePorts(): Omit<ManagePorts, 'staff'> {
  return { workflows: workflows(), clock, random: randomBytes, secrets: secretBox(), templates: templateChecks };
}

export function runs(): DynamoRuns {
  return new DynamoRuns(dynamoClient(), runsTable(), runContents(), clock);
}

export function openRuns(): DynamoOpenRuns {
  return new DynamoOpenRuns(dynamoClient(), runsTable());
}

/** Events of runs. The bucket is loaded with the first large ones. */
const runContents = memoize(() => {
  const { RUNS_BUCKET } = environment('RUNS_BUCKET');
  return new RunContents(
    memoizeAsync(async () => {
      const [{ S3Objects }, { s3Client }] = await Promise.all([
        import('../../adapters/s3/s3-objects.ts'),
        import('../../adapters/s3/client.ts'),
      ]);
      return new S3Objects(RUNS_BUCKET, s3Client());
    }),
  );
});

/** The leases of runs, for functions in which runs end. */
export function runLeases(): DynamoRunLeases {
  const { USAGE_TABLE } = environment('USAGE_TABLE');
  return leasesCounting(USAGE_TABLE);
}

/** As `runLeases`, for the function that notifies people of approvals and forms. */
export function notifyingLeases(): DynamoRunLeases {
  const { ACCOUNTS_TABLE, USAGE_TABLE } = environment('ACCOUNTS_TABLE', 'USAGE_TABLE');
  return leasesCounting(USAGE_TABLE, ACCOUNTS_TABLE);
}

function leasesCounting(usageTable: string | null, outboxTable?: string): DynamoRunLeases {
  return new DynamoRunLeases(dynamoClient(), runsTable(), usageTable, {
    ...{ contents: runContents(), backoff: jitteredBackoff, clock },
    ...(outboxTable !== undefined && { outboxTable }),
  });
}

/** Runs to resume. */
export function runQueue(): MessageQueue<RunId> {
  const { RUNS_QUEUE_URL } = environment('RUNS_QUEUE_URL');
  return queueByUrl(RUNS_QUEUE_URL);
}

export const onFault = (runId: string, error: unknown) =>
  logger().error('A run of a workflow met a fault', { runId, error: error as Error });

export function runPorts(): StreamPorts & Omit<ProcessPorts, 'later' | 'notify'> {
  const parts = {
    runs: runs(),
    leases: runLeases(),
    places: new DynamoRunPlaces(dynamoClient(), runsTable(), jitteredBackoff),
    dataSettings: dataSettings(),
    queue: runQueue(),
    ids,
    clock,
    random: randomBytes,
    serviceUrl: serviceUrl(),
    pause,
    onFault,
    shares: runShares(),
  };
  const performing: NodeEffects = effects({
    run: (call, surroundings) =>
      runSubWorkflow(call, surroundings, { ...parts, effects: performing, workflows: workflows() }),
  });
  return { ...parts, effects: performing };
}

/** One for all handlers of a process. */
const runShares = memoize(() => {
  const { MANY_AT_A_TIME, RUNS_OF_WORKSPACE } = environment('MANY_AT_A_TIME', 'RUNS_OF_WORKSPACE');
  return new RunShares({
    running: MANY_AT_A_TIME
      ? new ProcessRunningWork()
      : new DynamoRunningWork(dynamoClient(), runsTable(), 'RUN', systemClock),
    maxRuns: RUNS_OF_WORKSPACE,
    onFault,
  });
});

export function evaluatePorts(): EvaluatePorts {
  return { ...runPorts(), schemas: zodSchemaChecks };
}

export function decidePorts(): DecidePorts {
  return { runs: runs(), leases: leasesCounting(null), queue: runQueue(), clock, onFault };
}

export function runErasures(): DynamoRunErasures {
  return new DynamoRunErasures(dynamoClient(), runsTable(), { backoff: jitteredBackoff, clock });
}

/** Erases the runs of a session. */
export function sessionRuns() {
  const ports = { ...decidePorts(), erasures: runErasures(), pause };
  return {
    erase: (session: RunSession, isOf: ((turnId: string) => Promise<boolean>) | null) =>
      eraseRunsOf(session, isOf, ports),
  };
}

/** The start of links that leave the service. */
export function serviceUrl(): string {
  return environment('SERVICE_URL').SERVICE_URL?.replace(/\/$/, '') ?? '';
}

function runsTable(): string {
  return environment('RUNS_TABLE').RUNS_TABLE;
}
