import { createHash } from 'node:crypto';
import { endRun } from './end-run.ts';
import type { Caller } from './execute.ts';
import { type ExecutePorts, runsOf } from './execute.ts';
import { type Ending, type ExecutionRequest, endingOf, failure, newExecution } from './execution.ts';
import type { ExecutionLease, Executions } from './execution-ports.ts';
import { abandon, interruptedEnding } from './process-execution.ts';
import { runUsage } from './run-usage.ts';
import { SandboxUnavailable } from './sandbox-pool.ts';
import { superviseRun } from './supervise-run.ts';

export type OncePorts = ExecutePorts & {
  readonly executions: Pick<Executions, 'create' | 'findWithOutput' | 'remove'>;
};

/** A text of an output, and the one that is stored and returned in its place. */
export interface HiddenText {
  readonly text: string;
  readonly shown: string;
}

export type OnceCaller = Caller & { readonly hidden?: readonly HiddenText[] | undefined };

/** How often a program that another call is running is looked up. */
const POLL_INTERVAL_MS = 250;
/** Crockford's alphabet, as the ids of executions have it. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Runs a program once for a key, or not at all: a second call with the key gets what came of the first, also when it comes
 * while that one is running, or after the function that ran it has died.
 * @throws ExecutionRefused, SandboxUnavailable; nothing of it has run then
 */
export async function executeOnce(
  request: ExecutionRequest,
  onceKey: string,
  caller: OnceCaller,
  ports: OncePorts,
): Promise<Ending> {
  const [run] = await runsOf([request], ports.pool);
  const { workspaceId, untilMs, signal, maxInlineBytes } = caller;
  const { executions, clock, ids } = ports;
  const lease: ExecutionLease = {
    workspaceId,
    executionId: executionIdOf(workspaceId, onceKey),
    fence: ids.next('run'),
  };
  const execution = newExecution(
    lease,
    { ...request, sessionId: null, keyId: caller.keyId ?? null },
    'running',
    clock.now(),
  );
  try {
    // Most calls are the first with their key: the others find out here.
    await executions.create({ execution, lease, leaseUntilMs: untilMs });
  } catch (error) {
    const earlier = await endingOfEarlier(lease, caller, ports);
    if (earlier !== null) return earlier;
    throw error;
  }
  // Nothing has started where it fails: the key is free again.
  const release = async (error: unknown): Promise<never> => {
    await executions.remove(execution);
    throw error;
  };
  const charge = (await ports.charges?.hold(caller, lease.executionId, run!).catch(release)) ?? null;
  const outcome = await superviseRun(lease, run!, untilMs, ports, {
    ...(maxInlineBytes !== undefined && { maxInlineBytes }),
    ...(signal && { client: signal }),
    ...(charge && { onBegun: charge.onBegun }),
  }).catch((error: Error) => error);
  if (outcome instanceof SandboxUnavailable) {
    await charge?.release();
    return release(outcome);
  }
  const ending = without(caller.hidden ?? [], endingOf(run!, outcome));
  const usage = runUsage(caller, outcome, clock.now());
  await endRun(lease, ending, { outcome, usage, charge, signal }, ports);
  return ending;
}

function without(hidden: readonly HiddenText[], ending: Ending): Ending {
  const masked = (output: string) => hidden.reduce((all, { text, shown }) => all.replaceAll(text, shown), output);
  return { ...ending, stdout: masked(ending.stdout), stderr: masked(ending.stderr) };
}

/** The result of an earlier call with the key, if it has ended; null without an earlier call. */
async function endingOfEarlier(
  id: ExecutionLease,
  { untilMs, signal }: Caller,
  { executions, leases, clock, pause }: OncePorts,
): Promise<Ending | null> {
  const never = new AbortController().signal;
  for (;;) {
    const found = await executions.findWithOutput(id);
    if (found === null) return null;
    const { status, exitCode, seconds, completedAt } = found.execution;
    if (completedAt !== null)
      return {
        status: status === 'completed' ? 'completed' : 'failed',
        exitCode: exitCode ?? -1,
        seconds: seconds ?? 0,
        ...(found.output ?? { stdout: '', stderr: '' }),
      };
    if (found.leaseUntilMs <= clock.now()) {
      const ending = interruptedEnding(found);
      await abandon(found, ending, { leases, clock });
      return ending;
    }
    if (clock.now() >= untilMs || signal?.aborted)
      return failure('Another call with the same key is still running it.');
    await pause.wait(POLL_INTERVAL_MS, signal ?? never);
  }
}

function executionIdOf(workspaceId: string, onceKey: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([workspaceId, onceKey]))
    .digest();
  return `exec_${Array.from(digest.subarray(0, 26), (byte) => DIGITS[byte % 32]).join('')}`;
}
