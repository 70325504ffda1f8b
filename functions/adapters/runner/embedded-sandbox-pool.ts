import { availableParallelism } from 'node:os';
import { Dispatcher } from '../../sandbox/domain/dispatcher.ts';
import type { KeptSessions, SandboxPool } from '../../sandbox/domain/sandbox-pool.ts';
import { systemClock } from '../shared/system-ports.ts';
import type { OpenInput } from './run-body.ts';
import { RunnerHttp } from './runner-http.ts';
import { RUNNER_TOKEN, type RunnerProcessEvents } from './runner-process.ts';
import { RunnerProcesses } from './runner-processes.ts';

/** Programs that run at the same time, a runner each. */
const RUNNERS = Math.max(2, availableParallelism()) + 2;
/** Executions that are worked on at the same time. */
export const MAX_IN_BACKGROUND = RUNNERS - 1;
/** One of them is for another workspace. */
export const MAX_IN_BACKGROUND_PER_WORKSPACE = MAX_IN_BACKGROUND - 1;
/** Sessions of a workspace, a process with an interpreter each. */
const MAX_KEPT = 2;
/** This machine may have much else to do. */
const ACCEPT_TIMEOUT_MS = 10_000;

let made: (SandboxPool & KeptSessions) | undefined;

/** Runner processes on loopback, one set for all handlers of this process. */
export function embeddedSandboxPool(open: OpenInput): SandboxPool & KeptSessions {
  made ??= new Dispatcher(
    {
      registry: new RunnerProcesses(RUNNERS, reportMissingOnce()),
      client: new RunnerHttp({ token: async () => RUNNER_TOKEN, open, patienceMs: ACCEPT_TIMEOUT_MS }),
      clock: systemClock,
      random: Math.random,
      onNoRunner: async () => undefined,
      onRegistryError: () => undefined,
    },
    // The last runner is for a workspace that has none.
    { maxPerWorkspace: RUNNERS - 1, maxInBackground: MAX_IN_BACKGROUND_PER_WORKSPACE, reserve: 0, maxKept: MAX_KEPT },
  );
  return made;
}

function reportMissingOnce(): RunnerProcessEvents['missing'] {
  let isReported = false;
  return (missing, installed) => {
    if (isReported) return;
    isReported = true;
    if (!installed.some(({ packages }) => packages !== undefined))
      console.log('Programs have no packages such as pandas or lodash: npm run sandbox:packages installs them.');
    for (const { name, hint } of missing)
      console.log(`The sandbox cannot run ${name}, which is not installed: ${hint}`);
  };
}
