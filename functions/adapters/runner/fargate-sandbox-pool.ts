import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Dispatcher } from '../../sandbox/domain/dispatcher.ts';
import type { KeptSessions, SandboxPool } from '../../sandbox/domain/sandbox-pool.ts';
import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import { SANDBOX_MISSES } from '../../shared/metric-names.ts';
import { dynamoClient } from '../dynamodb/client.ts';
import { countMetric } from '../shared/count-metric.ts';
import { readSecret } from '../shared/secret.ts';
import { systemClock } from '../shared/system-ports.ts';
import { DynamoRunners } from './dynamo-runners.ts';
import type { OpenInput } from './run-body.ts';
import { RunnerHttp } from './runner-http.ts';

/** A task that has stopped does not refuse a connection: it is silent. One that runs answers within milliseconds. */
const ACCEPT_TIMEOUT_MS = 500;
/** Of a pool of hundreds, no workspace needs more at a time: 100 executions a minute are allowed. */
const MAX_PER_WORKSPACE = 20;
/** Each has its own task, which does nothing else until it ends. */
const MAX_KEPT = 3;

/** Tasks on Fargate, found through the registry and spoken to at their private addresses. */
export function fargateSandboxPool(open: OpenInput): SandboxPool & KeptSessions {
  return new Dispatcher(
    {
      registry: runnerRegistry(),
      client: runnerClient(ACCEPT_TIMEOUT_MS, open),
      clock: systemClock,
      random: Math.random,
      onNoRunner: () => countMetric(SANDBOX_MISSES),
      onRegistryError: (error) => logger().warn('The registry of runners was not updated', { error: error as Error }),
    },
    { maxPerWorkspace: MAX_PER_WORKSPACE, maxInBackground: MAX_PER_WORKSPACE, reserve: 1, maxKept: MAX_KEPT },
  );
}

export function runnerRegistry(): DynamoRunners {
  const { RUNNERS_TABLE } = environment('RUNNERS_TABLE');
  return new DynamoRunners(dynamoClient(), RUNNERS_TABLE, systemClock);
}

/**
 * @param patienceMs in which a runner must accept or refuse a program.
 * @param open where programs have stored files
 */
export function runnerClient(patienceMs: number, open?: OpenInput): RunnerHttp {
  // Read at first use: a function that only lists the languages has no right to it.
  const token = memoizeAsync(() => {
    const { RUNNER_TOKEN_SECRET } = environment('RUNNER_TOKEN_SECRET');
    return readSecret(new SecretsManagerClient({}), RUNNER_TOKEN_SECRET);
  });
  return new RunnerHttp({ token, patienceMs, ...(open && { open }) });
}
