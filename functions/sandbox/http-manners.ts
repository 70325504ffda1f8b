import type { ServiceManners } from '../shared/http/api-handler.ts';
import { Problem } from '../shared/http/problem.ts';
import { ExecutionFailed, ExecutionRefused } from './domain/execution-refused.ts';
import { SandboxUnavailable } from './domain/sandbox-pool.ts';

/** Specification 3 §7. */
export const sandboxManners: ServiceManners = {
  presentProblem: ({ status, message }) => ({ detail: status === 401 ? 'Invalid or missing API key' : message }),
  problemOf(error) {
    if (error instanceof ExecutionRefused) return new Problem(400, error.refusal, error.message);
    if (error instanceof ExecutionFailed)
      return new Problem(500, 'execution_failed', `Execution failed: ${error.message}`, { cause: error.cause });
    if (error instanceof SandboxUnavailable)
      return new Problem(503, 'sandbox_unavailable', error.message, { headers: { 'retry-after': '1' } });
    return null;
  },
};
