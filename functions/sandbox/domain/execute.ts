import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import {
  type Ending,
  type ExecutionRequest,
  type ExecutionResult,
  endingOf,
  invalidSyntax,
  newExecution,
  timedOut,
} from './execution.ts';
import type { Executions, Lease } from './execution-ports.ts';
import { ExecutionFailed, ExecutionRefused } from './execution-refused.ts';
import { LANGUAGES, type LanguageName, type Run, type RunOutcome } from './run.ts';
import { type SandboxPool, SandboxUnavailable } from './sandbox-pool.ts';
import { runOnce, type SupervisePorts, superviseRun } from './supervise-run.ts';

export interface ExecutePorts extends SupervisePorts {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly executions: Executions;
  /** Hears of an execution whose record could not be ended: the reconciler will end it as failed. */
  readonly onUnrecorded: (executionId: string, error: unknown) => void;
}

export interface Caller {
  readonly workspaceId: string;
  /** Epoch time at which the call ends for certain. */
  readonly untilMs: number;
  /** Epoch time from which on the caller can only be told of a result: what goes wrong is a part of it then. */
  readonly lateAtMs?: number;
  /** Aborted when the client goes away: its program is ended then. */
  readonly signal?: AbortSignal;
}

export const MOST_IN_A_BATCH = 10;
/** A batch answers within one call. */
export const MOST_BATCH_SECONDS = 14 * 60;

/** Runs one program. What goes wrong later than `lateAtMs` is a result, as in a batch. @throws ExecutionRefused, ExecutionFailed, SandboxUnavailable */
export async function execute(
  request: ExecutionRequest,
  caller: Caller,
  ports: ExecutePorts,
): Promise<ExecutionResult> {
  const [run] = (await runsOf([request], ports.pool)) as [Run];
  const executionId = ports.ids.next('exec');
  // Who gets no result has no execution in the session either, unless something has run.
  const hasRun = (outcome: RunOutcome | Error) =>
    outcome instanceof Error ? !(outcome instanceof SandboxUnavailable) : outcome.kind !== 'invalid_syntax';
  const outcome = await outcomeOf({ request, run, executionId, keeps: hasRun }, caller, ports);
  const { lateAtMs = Number.POSITIVE_INFINITY } = caller;
  if (ports.clock.now() >= lateAtMs) return resultOf(request, executionId, endingOf(run, outcome));
  if (outcome instanceof Error) throw outcome;
  if (outcome.kind === 'invalid_syntax') throw invalidSyntax(outcome);
  if (outcome.kind === 'timed_out') throw new ExecutionFailed(timedOut(run.timeoutSeconds));
  return resultOf(request, executionId, endingOf(run, outcome));
}

/**
 * Runs the programs of a batch that `requireBatch` let through, one after another; what happens to one does not touch the
 * next. @throws ExecutionRefused before any has run
 */
export async function executeBatch(
  requests: readonly ExecutionRequest[],
  caller: Caller,
  ports: ExecutePorts,
): Promise<ExecutionResult[]> {
  const runs = await runsOf(requests, ports.pool);
  const results: ExecutionResult[] = [];
  for (const [index, run] of runs.entries()) {
    caller.signal?.throwIfAborted();
    const request = requests[index] as ExecutionRequest;
    const executionId = ports.ids.next('exec');
    const outcome = await outcomeOf({ request, run, executionId, keeps: () => true }, caller, ports);
    results.push(resultOf(request, executionId, endingOf(run, outcome)));
  }
  return results;
}

/** @throws ExecutionRefused for a batch that no limit lets through */
export function requireBatch(requests: readonly ExecutionRequest[]): void {
  if (requests.length > MOST_IN_A_BATCH)
    throw new ExecutionRefused('batch_too_large', `Maximum ${MOST_IN_A_BATCH} executions allowed in a batch`);
  const seconds = requests.reduce((sum, { timeoutSeconds }) => sum + timeoutSeconds, 0);
  if (seconds > MOST_BATCH_SECONDS)
    throw new ExecutionRefused(
      'invalid_request',
      `The timeouts of a batch may add up to ${MOST_BATCH_SECONDS} seconds, and these add up to ${seconds}. Send smaller timeouts or a smaller batch.`,
    );
}

/** @throws ExecutionRefused when one of the languages is not to be had */
export async function runsOf(
  requests: readonly ExecutionRequest[],
  pool: Pick<SandboxPool, 'languages'>,
): Promise<Run[]> {
  const available = (await pool.languages()).map(({ name }) => name).toSorted();
  return requests.map(({ sessionId, language, ...rest }) => {
    if (!isLanguage(language) || !available.includes(language))
      throw new ExecutionRefused(
        'unsupported_language',
        `Unsupported language: ${language}. Supported languages: ${available.join(', ')}`,
      );
    return { ...rest, language };
  });
}

const isLanguage = (text: string): text is LanguageName => (LANGUAGES as readonly string[]).includes(text);

interface Order {
  readonly request: ExecutionRequest;
  readonly run: Run;
  readonly executionId: string;
  /** Whether an execution of a session that ended so stays recorded. */
  readonly keeps: (outcome: RunOutcome | Error) => boolean;
}

/** Runs a program; as a part of a session it is recorded, and can be cancelled. An error is an outcome too. */
async function outcomeOf(order: Order, caller: Caller, ports: ExecutePorts): Promise<RunOutcome | Error> {
  const { request, run, executionId, keeps } = order;
  const { workspaceId, untilMs, signal } = caller;
  if (request.sessionId === null)
    return runOnce(run, { workspaceId, ...(signal && { signal }) }, ports).catch((error: Error) => error);

  const { executions, clock, ids } = ports;
  const lease: Lease = { workspaceId, executionId, owner: ids.next('run') };
  const execution = newExecution(lease, request, 'running', clock.now());
  try {
    await executions.create({ execution, lease, leaseUntilMs: untilMs });
  } catch (error) {
    return new ExecutionFailed('It could not be recorded for its session, and was not started.', error);
  }
  const outcome = await superviseRun(lease, run, untilMs, ports, signal).catch((error: Error) => error);
  try {
    if (keeps(outcome)) await executions.end(lease, endingOf(run, outcome), clock.now());
    else await executions.remove(execution);
  } catch (error) {
    // What has run has a result, whether that can be recorded or not.
    ports.onUnrecorded(executionId, error);
  }
  return outcome;
}

function resultOf(
  { language, sessionId }: ExecutionRequest,
  executionId: string,
  { stdout, stderr, exitCode, seconds }: Ending,
): ExecutionResult {
  return { executionId, stdout, stderr, exitCode, seconds, language, sessionId };
}
