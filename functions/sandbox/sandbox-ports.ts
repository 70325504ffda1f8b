import { dynamoClient } from '../adapters/aws/dynamo-client.ts';
import { DynamoLimits } from '../adapters/aws/dynamo-limits.ts';
import { countLimitStoreFailure } from '../adapters/limit-alarm.ts';
import { systemClock, ulidIds } from '../adapters/system-ports.ts';
import { environment } from '../shared/environment.ts';
import { lazily } from '../shared/lazily.ts';
import type { LimitPorts } from '../shared/limits/require-tokens.ts';
import type { ExecutePorts } from './domain/execute.ts';
import { type SandboxPool, SandboxUnavailable } from './domain/sandbox-pool.ts';

/** The runners of this deployment. */
export function sandboxPool(): SandboxPool {
  const { SANDBOX } = environment('SANDBOX');
  const pool = lazily(async () => {
    if (SANDBOX === undefined) throw new SandboxUnavailable('Code execution is not set up in this deployment.');
    const { embeddedSandboxPool } = await import('../adapters/embedded/embedded-sandbox-pool.ts');
    return embeddedSandboxPool();
  });
  return { languages: async () => (await pool()).languages(), run: async (run) => (await pool()).run(run) };
}

export function executePorts(): ExecutePorts & LimitPorts {
  const { LIMITS_TABLE } = environment('LIMITS_TABLE');
  return {
    pool: sandboxPool(),
    ids: ulidIds,
    limits: new DynamoLimits(dynamoClient(), LIMITS_TABLE),
    clock: systemClock,
    storeFailed: countLimitStoreFailure,
  };
}
