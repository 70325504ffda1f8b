import { bounded } from './bounded-output.ts';
import { ExecutionRefused } from './execution-refused.ts';
import type { Output } from './output.ts';
import type { Run, RunOutcome, RunTraces } from './run.ts';

/** Retention of a recorded execution, from its end on. */
export const EXECUTION_KEPT_SECONDS = 24 * 60 * 60;

/** A request to run a program; its language may be any text. */
export interface ExecutionRequest extends Omit<Run, 'language'> {
  readonly language: string;
  readonly sessionId: string | null;
}

/** Names an execution of a workspace. */
export interface ExecutionId {
  readonly workspaceId: string;
  readonly executionId: string;
}

/** An execution that is recorded: submitted asynchronously, or a part of a session. Pending, then running, then one of the ends. */
export interface Execution extends ExecutionId {
  readonly language: string;
  readonly sessionId: string | null;
  /** API key of the call; null: none. */
  readonly keyId: string | null;
  readonly status: 'pending' | 'running' | 'completed' | 'failed';
  /** ISO times. */
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  /** Null before the end; -1: the execution itself failed. */
  readonly exitCode: number | null;
  readonly seconds: number | null;
}

/** End of an execution: completed by itself, or failed, with the reason in `stderr`. */
export interface Ending extends Output {
  readonly status: 'completed' | 'failed';
  readonly exitCode: number;
  readonly seconds: number;
}

export interface ExecutionResult extends Output {
  readonly executionId: string;
  /** -1: the execution itself failed, and `stderr` says why. */
  readonly exitCode: number;
  readonly seconds: number;
  readonly language: string;
  readonly sessionId: string | null;
}

/** The record of a new execution. */
export function newExecution(
  { workspaceId, executionId }: ExecutionId,
  {
    language,
    sessionId,
    keyId = null,
  }: Pick<ExecutionRequest, 'language' | 'sessionId'> & Partial<Pick<Execution, 'keyId'>>,
  status: 'pending' | 'running',
  nowMs: number,
): Execution {
  const now = new Date(nowMs).toISOString();
  return {
    workspaceId,
    executionId,
    language,
    sessionId,
    keyId,
    status,
    createdAt: now,
    startedAt: status === 'running' ? now : null,
    completedAt: null,
    exitCode: null,
    seconds: null,
  };
}

/** @param outcome an error stands for a run without an outcome; its message is for the client. */
export function endingOf(run: Pick<Run, 'timeoutSeconds'>, outcome: RunOutcome | Error): Ending {
  return bounded([wholeEndingOf(run, outcome)])[0] as Ending;
}

function wholeEndingOf({ timeoutSeconds }: Pick<Run, 'timeoutSeconds'>, outcome: RunOutcome | Error): Ending {
  if (outcome instanceof Error) return failure(outcome.message);
  switch (outcome.kind) {
    case 'finished': {
      const { kind: _, ...ending } = outcome;
      return { status: 'completed', ...ending };
    }
    case 'timed_out': {
      const { kind: _, stderr, ...rest } = outcome;
      const separator = stderr === '' || stderr.endsWith('\n') ? '' : '\n';
      return { ...failure(`${stderr}${separator}${timedOut(timeoutSeconds, outcome)}`), ...rest };
    }
    case 'invalid_syntax':
      return { ...failure(invalidSyntax(outcome).message), seconds: outcome.seconds };
  }
}

/** The ending of an execution that was not run, or whose run was lost. */
export function failure(reason: string): Ending {
  return { status: 'failed', exitCode: -1, seconds: 0, stdout: '', stderr: reason };
}

export function timedOut(timeoutSeconds: number, { session }: Pick<RunTraces, 'session'>): string {
  const message = `Execution timed out after ${timeoutSeconds} second${timeoutSeconds === 1 ? '' : 's'}`;
  return session?.isKept ? `${message}. The session and its variables are kept` : message;
}

export function invalidSyntax({ message }: { readonly message: string }): ExecutionRefused {
  return new ExecutionRefused('invalid_syntax', `Invalid code syntax: ${message}`);
}
