import type * as z from 'zod';
import type { Execution, ExecutionRequest, ExecutionResult, Output } from './domain/execution.ts';
import { DEFAULT_RESOURCES } from './domain/run.ts';
import type { execution, executionRequest, executionResult, executionSummary } from './schemas.ts';

const DEFAULT_TIMEOUT_SECONDS = 30;

export function toExecutionRequest(body: z.output<typeof executionRequest>): ExecutionRequest {
  const { resources } = body;
  return {
    language: body.language,
    code: body.code,
    stdin: body.stdin ?? '',
    environment: body.environment ?? {},
    timeoutSeconds: body.timeout ?? DEFAULT_TIMEOUT_SECONDS,
    sessionId: body.session_id ?? null,
    resources: resources
      ? { cpu: resources.cpu, memoryMb: resources.memory_mb, diskMb: resources.disk_mb }
      : DEFAULT_RESOURCES,
  };
}

export function toResultResponse(result: ExecutionResult): z.output<typeof executionResult> {
  return {
    execution_id: result.executionId,
    stdout: result.stdout,
    stderr: result.stderr,
    exit_code: result.exitCode,
    execution_time: result.seconds,
    language: result.language,
    session_id: result.sessionId,
  };
}

/** @param output null before the end. */
export function toExecutionResponse(
  { executionId, status, createdAt, startedAt, completedAt, ...rest }: Execution,
  output: Output | null,
): z.output<typeof execution> {
  const { language, sessionId, exitCode, seconds } = rest;
  return {
    execution_id: executionId,
    status,
    created_at: createdAt,
    started_at: startedAt,
    completed_at: completedAt,
    result:
      exitCode === null || seconds === null
        ? null
        : toResultResponse({ executionId, language, sessionId, exitCode, seconds, ...(output ?? LOST_OUTPUT) }),
  };
}

/** Its object is gone before its record: the bucket counts days of its own. */
const LOST_OUTPUT: Output = { stdout: '', stderr: 'The output is no longer there.' };

export function toSummaryResponse(summarised: Execution): z.output<typeof executionSummary> {
  const { executionId, language, status, createdAt, startedAt, completedAt, exitCode, seconds } = summarised;
  return {
    execution_id: executionId,
    language,
    status,
    created_at: createdAt,
    started_at: startedAt,
    completed_at: completedAt,
    exit_code: exitCode,
    execution_time: seconds,
  };
}
