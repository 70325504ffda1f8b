import type * as z from 'zod';
import type { RateLimit } from '../shared/limits/rate-limit.ts';
import type { ExecutionRequest, ExecutionResult } from './domain/execute.ts';
import { DEFAULT_RESOURCES } from './domain/run.ts';
import type { executionRequest, executionResult } from './schemas.ts';

/** Specification 3 §8: 100 a minute for each key. */
export const EXECUTIONS: RateLimit = { name: 'executions', burst: 100, refillMs: 600 };

const DEFAULT_TIMEOUT_SECONDS = 30;

export function executionOf(body: z.output<typeof executionRequest>): ExecutionRequest {
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

/** Specification 3 §2.2. */
export function presentedResult(result: ExecutionResult): z.output<typeof executionResult> {
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
