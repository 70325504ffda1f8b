import { ExecutionRefused } from './execution-refused.ts';
import type { Run, RunOutcome } from './run.ts';

/** From its end on a recorded execution is kept for so long. */
export const EXECUTION_KEPT_SECONDS = 24 * 60 * 60;

/** What a caller asks for; the language is any text yet. */
export interface ExecutionRequest extends Omit<Run, 'language'> {
  readonly language: string;
  readonly sessionId: string | null;
}

/** Names an execution; nobody but its workspace gets to it. */
export interface ExecutionId {
  readonly workspaceId: string;
  readonly executionId: string;
}

/** An execution that is recorded: asked for asynchronously, or as a part of a session. Specification 3 §3 has its states. */
export interface Execution extends ExecutionId {
  readonly language: string;
  readonly sessionId: string | null;
  readonly status: 'pending' | 'running' | 'completed' | 'failed';
  /** ISO times. */
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  /** Null before the end; -1: the execution itself failed. */
  readonly exitCode: number | null;
  readonly seconds: number | null;
}

export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** How an execution ended: by itself, or failed, with the reason in `stderr`. */
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

/** As it is in the beginning. */
export function newExecution(
  { workspaceId, executionId }: ExecutionId,
  { language, sessionId }: Pick<ExecutionRequest, 'language' | 'sessionId'>,
  status: 'pending' | 'running',
  nowMs: number,
): Execution {
  const now = new Date(nowMs).toISOString();
  return {
    workspaceId,
    executionId,
    language,
    sessionId,
    status,
    createdAt: now,
    startedAt: status === 'running' ? now : null,
    completedAt: null,
    exitCode: null,
    seconds: null,
  };
}

/** @param outcome an error: why there is no outcome, in words for the caller. */
export function endingOf({ timeoutSeconds }: Pick<Run, 'timeoutSeconds'>, outcome: RunOutcome | Error): Ending {
  if (outcome instanceof Error) return failure(outcome.message);
  switch (outcome.kind) {
    case 'finished': {
      const { stdout, stderr, exitCode, seconds } = outcome;
      return { status: 'completed', stdout, stderr, exitCode, seconds };
    }
    case 'timed_out': {
      const { stdout, stderr, seconds } = outcome;
      const separator = stderr === '' || stderr.endsWith('\n') ? '' : '\n';
      return { ...failure(`${stderr}${separator}${timedOut(timeoutSeconds)}`), stdout, seconds };
    }
    case 'invalid_syntax':
      return { ...failure(invalidSyntax(outcome).message), seconds: outcome.seconds };
  }
}

/** An ending without a run, or of one that nothing is known of. */
export function failure(reason: string): Ending {
  return { status: 'failed', exitCode: -1, seconds: 0, stdout: '', stderr: reason };
}

export function timedOut(timeoutSeconds: number): string {
  return `Execution timed out after ${timeoutSeconds} second${timeoutSeconds === 1 ? '' : 's'}`;
}

export function invalidSyntax({ message }: { readonly message: string }): ExecutionRefused {
  return new ExecutionRefused('invalid_syntax', `Invalid code syntax: ${message}`);
}
