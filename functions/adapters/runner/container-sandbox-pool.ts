import { Dispatcher } from '../../sandbox/domain/dispatcher.ts';
import type { KeptSessions, SandboxPool } from '../../sandbox/domain/sandbox-pool.ts';
import { environment } from '../../shared/environment.ts';
import { logger } from '../../shared/logging.ts';
import { systemClock } from '../shared/system-ports.ts';
import type { OpenInput } from './run-body.ts';
import { RunnerContainers } from './runner-containers.ts';
import { RunnerHttp } from './runner-http.ts';

/** A container that is just being started again refuses connections. */
const ACCEPT_TIMEOUT_MS = 2_000;
/** Sessions of a workspace, a runner each. */
const MAX_KEPT = 1;

let made: (SandboxPool & KeptSessions) | undefined;

/** Containers of this machine or of another one, one set for all handlers of this process. */
export function containerSandboxPool(open: OpenInput): SandboxPool & KeptSessions {
  made ??= newPool(open);
  return made;
}

function newPool(open: OpenInput): SandboxPool & KeptSessions {
  const { RUNNER_URLS, RUNNER_TOKEN } = environment('RUNNER_URLS', 'RUNNER_TOKEN');
  const client = new RunnerHttp({ token: async () => RUNNER_TOKEN, open, patienceMs: ACCEPT_TIMEOUT_MS });
  const shared = Math.max(1, RUNNER_URLS.length - 1);
  return new Dispatcher(
    {
      registry: new RunnerContainers(RUNNER_URLS, client, () => systemClock.now()),
      client,
      clock: systemClock,
      random: Math.random,
      onNoRunner: async () => undefined,
      onRegistryError: (error) => logger().warn('The registry of runners was not updated', { error: error as Error }),
    },
    // The last runner is for a workspace that has none.
    { maxPerWorkspace: shared, maxInBackground: shared, reserve: 0, maxKept: MAX_KEPT },
  );
}
