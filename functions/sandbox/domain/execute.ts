import { FundsRefused } from '../../accounts/domain/funds-refused.ts';
import type { UsageRecorder } from '../../accounts/domain/usage.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { bounded } from './bounded-output.ts';
import { endRun } from './end-run.ts';
import {
  type Ending,
  type ExecutionRequest,
  type ExecutionResult,
  endingOf,
  invalidSyntax,
  newExecution,
  timedOut,
} from './execution.ts';
import type { ExecutionLease, ExecutionLeases, Executions } from './execution-ports.ts';
import { ExecutionFailed, ExecutionRefused } from './execution-refused.ts';
import { MAX_INLINE_BYTES } from './output-files.ts';
import { heldBytes, LANGUAGES, type LanguageName, type Run, type RunOutcome } from './run.ts';
import type { RunCharges } from './run-charges.ts';
import { runUsage } from './run-usage.ts';
import { type SandboxPool, SandboxUnavailable } from './sandbox-pool.ts';
import { type RunOptions, runOnce, type SupervisePorts, superviseRun } from './supervise-run.ts';

export interface ExecutePorts extends SupervisePorts {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly executions: Pick<Executions, 'create' | 'remove'>;
  readonly leases: ExecutionLeases;
  readonly usage: UsageRecorder;
  /** Null: programs are free. */
  readonly charges: RunCharges | null;
  /** Called when the end of an execution could not be recorded: the reconciler will end it as failed. */
  readonly onUnrecorded: (executionId: string, error: unknown) => void;
}

export interface Caller extends RunOptions {
  readonly workspaceId: string;
  /** API key of the call; absent or null: none. */
  readonly keyId?: string | null;
  /** Takes work that the response does not wait for. */
  readonly background: (work: Promise<unknown>) => void;
  /** Epoch time at which the call ends for certain. */
  readonly untilMs: number;
  /** Epoch time from which on the response has started: an error can only be reported as a result then. */
  readonly lateAtMs?: number;
  /** True: any failure of a started program is a result, as in a batch. */
  readonly takesFailures?: boolean;
  /** Aborted when the client goes away: its program is ended then. */
  readonly signal?: AbortSignal;
}

export const MAX_BATCH_SIZE = 10;
/** A batch answers within one call. */
export const MAX_BATCH_SECONDS = 14 * 60;

/** Runs one program. An error after `lateAtMs` is a result, as in a batch. @throws ExecutionRefused, ExecutionFailed, SandboxUnavailable */
export async function execute(
  request: ExecutionRequest,
  caller: Caller,
  ports: ExecutePorts,
): Promise<ExecutionResult> {
  const [run] = (await runsOf([request], ports.pool)) as [Run];
  const executionId = ports.ids.next('exec');
  // A call without a result leaves no execution in its session, unless something has run.
  const hasRun = (outcome: RunOutcome | Error) =>
    outcome instanceof Error ? !(outcome instanceof SandboxUnavailable) : outcome.kind !== 'invalid_syntax';
  const outcome = await outcomeOf({ request, run, executionId, keeps: hasRun }, caller, ports);
  const { lateAtMs = Number.POSITIVE_INFINITY, takesFailures = false } = caller;
  const isResult = takesFailures && !(outcome instanceof SandboxUnavailable);
  if (isResult || ports.clock.now() >= lateAtMs) return resultOf(request, executionId, endingOf(run, outcome));
  if (outcome instanceof Error) throw outcome;
  if (outcome.kind === 'invalid_syntax') throw invalidSyntax(outcome);
  if (outcome.kind === 'timed_out') {
    const [{ stdout, stderr }] = bounded([outcome]) as [typeof outcome];
    throw new ExecutionFailed(timedOut(run.timeoutSeconds, outcome), undefined, { stdout, stderr });
  }
  return resultOf(request, executionId, endingOf(run, outcome));
}

/**
 * Runs the programs of a batch that passed `requireBatch`, one after another; a failure of one does not affect the next. @throws ExecutionRefused before any has run
 */
export async function executeBatch(
  requests: readonly ExecutionRequest[],
  caller: Caller,
  ports: ExecutePorts,
): Promise<ExecutionResult[]> {
  const runs = await runsOf(requests, ports.pool);
  await ports.charges?.require(caller, runs);
  const results: ExecutionResult[] = [];
  for (const [index, run] of runs.entries()) {
    caller.signal?.throwIfAborted();
    const request = requests[index] as ExecutionRequest;
    const executionId = ports.ids.next('exec');
    // Those that follow need their time as well.
    const restMs = runs.slice(index + 1).reduce((sum, { timeoutSeconds }) => sum + timeoutSeconds * 1000, 0);
    const inTime = { ...caller, untilMs: caller.untilMs - restMs };
    const { maxInlineBytes = MAX_INLINE_BYTES / runs.length } = caller;
    const bytesWithIt = runs.reduce((sum, each) => (each === run ? sum : sum + heldBytes(each)), 0);
    const launch = { request, run, executionId, maxInlineBytes, bytesWithIt, keeps: () => true };
    const outcome = await outcomeOf(launch, inTime, ports).catch(refusedFunds);
    results.push(resultOf(request, executionId, endingOf(run, outcome)));
  }
  return [...bounded(results)];
}

/** The money may have been spent since the batch started. */
function refusedFunds(error: unknown): Error {
  if (error instanceof FundsRefused) return error;
  throw error;
}

/** @throws ExecutionRefused for a batch with too many programs, or too much time in all */
export function requireBatch(requests: readonly Pick<ExecutionRequest, 'timeoutSeconds'>[]): void {
  if (requests.length > MAX_BATCH_SIZE)
    throw new ExecutionRefused('batch_too_large', `Maximum ${MAX_BATCH_SIZE} executions allowed in a batch`);
  const seconds = requests.reduce((sum, { timeoutSeconds }) => sum + timeoutSeconds, 0);
  if (seconds > MAX_BATCH_SECONDS)
    throw new ExecutionRefused(
      'invalid_request',
      `The timeouts of a batch may add up to ${MAX_BATCH_SECONDS} seconds, and these add up to ${seconds}. Send smaller timeouts or a smaller batch.`,
    );
}

/** @throws ExecutionRefused when one of the languages is not available */
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

interface Launch {
  readonly request: ExecutionRequest;
  readonly run: Run;
  readonly executionId: string;
  readonly maxInlineBytes?: number;
  /** Bytes of the other programs of its batch. */
  readonly bytesWithIt?: number;
  /** Whether an execution of a session with this outcome stays recorded. */
  readonly keeps: (outcome: RunOutcome | Error) => boolean;
}

/**
 * Runs a program; as a part of a session it is recorded, and can be cancelled. An error is an outcome too.
 * @throws FundsRefused, AccountBusy before anything has started, or AccountBusy when its price could not be charged
 */
async function outcomeOf(launch: Launch, caller: Caller, ports: ExecutePorts): Promise<RunOutcome | Error> {
  const { request, run, executionId, maxInlineBytes = MAX_INLINE_BYTES, bytesWithIt = 0, keeps } = launch;
  const { workspaceId, untilMs, signal, onOutput } = caller;
  const charge = (await ports.charges?.hold(caller, executionId, run)) ?? null;
  const options = {
    maxInlineBytes,
    bytesWithIt,
    ...(onOutput && { onOutput }),
    ...(charge && { onBegun: charge.onBegun }),
  };
  const { executions, clock, ids } = ports;
  if (request.sessionId === null) {
    const runCaller = { workspaceId, executionId, untilMs, ...(signal && { signal }), ...options };
    const outcome = await runOnce(run, runCaller, ports).catch((error: Error) => error);
    const usage = runUsage(caller, outcome, clock.now());
    if (charge) await charge.settle(outcome, signal?.aborted === true);
    else if (usage) caller.background(ports.usage.record(usage));
    return outcome;
  }

  const lease: ExecutionLease = { workspaceId, executionId, fence: ids.next('run') };
  const execution = newExecution(lease, { ...request, keyId: caller.keyId ?? null }, 'running', clock.now());
  try {
    await executions.create({ execution, lease, leaseUntilMs: untilMs });
  } catch (error) {
    await charge?.release();
    return new ExecutionFailed('It could not be recorded for its session, and was not started.', error);
  }
  const outcome = await superviseRun(lease, run, untilMs, ports, {
    ...options,
    ...(signal && { client: signal }),
  }).catch((error: Error) => error);
  try {
    const usage = runUsage(caller, outcome, clock.now());
    if (keeps(outcome)) await endRun(lease, endingOf(run, outcome), { outcome, usage, charge, signal }, ports);
    else {
      await executions.remove(execution);
      if (charge) await charge.settle(outcome, false);
      else if (usage) await ports.usage.record(usage);
    }
  } catch (error) {
    // A program that has run has a result, whether that can be recorded or not.
    ports.onUnrecorded(executionId, error);
  }
  return outcome;
}

function resultOf(
  { language, sessionId }: ExecutionRequest,
  executionId: string,
  { status: _, ...ending }: Ending,
): ExecutionResult {
  return { executionId, ...ending, language, sessionId };
}
