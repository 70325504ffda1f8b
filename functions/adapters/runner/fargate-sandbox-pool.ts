import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Dispatcher } from '../../sandbox/domain/dispatcher.ts';
import type { SandboxPool } from '../../sandbox/domain/sandbox-pool.ts';
import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import { SANDBOX_MISSES } from '../../shared/metric-names.ts';
import { dynamoClient } from '../dynamodb/client.ts';
import { countMetric } from '../shared/count-metric.ts';
import { readSecret } from '../shared/secret.ts';
import { systemClock } from '../shared/system-ports.ts';
import { DynamoRunners } from './dynamo-runners.ts';
import { RunnerHttp } from './runner-http.ts';

/** A task that has stopped does not refuse a connection: it says nothing. One that runs answers within milliseconds. */
const PATIENCE_MS = 500;
/** Of a pool of hundreds, no workspace needs more at a time: 100 executions a minute are allowed. */
const MOST_PER_WORKSPACE = 20;

/** Tasks on Fargate, found through the registry and spoken to at their private addresses. */
export function fargateSandboxPool(): SandboxPool {
  return new Dispatcher(
    {
      registry: runnerRegistry(),
      client: runnerClient(PATIENCE_MS),
      clock: systemClock,
      random: Math.random,
      missed: () => countMetric(SANDBOX_MISSES),
      unnoted: (error) => logger().warn('The registry of runners was not told', { error: error as Error }),
    },
    { mostPerWorkspace: MOST_PER_WORKSPACE },
  );
}

export function runnerRegistry(): DynamoRunners {
  const { RUNNERS_TABLE } = environment('RUNNERS_TABLE');
  return new DynamoRunners(dynamoClient(), RUNNERS_TABLE, systemClock);
}

/** @param patienceMs in which a runner must say whether it takes a program. */
export function runnerClient(patienceMs: number): RunnerHttp {
  // Asked for once: who only wants to know the languages may not even read it.
  const token = memoizeAsync(() => {
    const { RUNNER_TOKEN_SECRET } = environment('RUNNER_TOKEN_SECRET');
    return readSecret(new SecretsManagerClient({}), RUNNER_TOKEN_SECRET);
  });
  return new RunnerHttp({ token, patienceMs });
}
