import { AccountBusy } from '../accounts/domain/change-account.ts';
import { FundsRefused } from '../accounts/domain/funds-refused.ts';
import { Problem } from '../shared/http/problem.ts';
import { TooBusy } from '../shared/too-busy.ts';
import { ExecutionFailed, ExecutionRefused } from './domain/execution-refused.ts';
import { SandboxUnavailable } from './domain/sandbox-pool.ts';

/** Errors of the sandbox's domain, as their clients get them. */
export function toProblem(error: unknown): Problem | null {
  if (error instanceof ExecutionRefused) return new Problem(400, error.refusal, error.message);
  if (error instanceof FundsRefused) return fundsProblem(error);
  if (error instanceof AccountBusy || error instanceof TooBusy)
    return new Problem(503, 'try_again', error.message, { headers: { 'retry-after': '1' } });
  if (error instanceof ExecutionFailed)
    return new Problem(500, 'execution_failed', `Execution failed: ${error.message}`, {
      cause: error.cause,
      ...(error.output !== null && { details: { ...error.output } }),
    });
  if (error instanceof SandboxUnavailable)
    return new Problem(503, 'sandbox_unavailable', error.message, {
      headers: { 'retry-after': String(error.retryAfterSeconds) },
    });
  return null;
}

function fundsProblem({ refusal, message, details, retryAfterSeconds }: FundsRefused): Problem {
  return new Problem(refusal === 'insufficient_balance' ? 402 : 429, refusal, message, {
    details: { ...details },
    ...(retryAfterSeconds !== null && { headers: { 'retry-after': String(retryAfterSeconds) } }),
  });
}

/** Unknown, expired, removed, or another workspace's: its client must not learn which. */
export function noExecution(executionId: string): Problem {
  return new Problem(404, 'not_found', `Execution ${executionId.slice(0, MAX_SHOWN_ID_LENGTH)} not found`);
}

export function noSession(sessionId: string): Problem {
  return new Problem(404, 'not_found', `Session ${sessionId} not found`);
}

export function unfinishedRemoval(sessionId: string): Problem {
  const message = `Session ${sessionId} holds more executions than one call can remove. Send it again to remove the rest.`;
  return new Problem(503, 'try_again', message, { headers: { 'retry-after': '1' } });
}

const MAX_SHOWN_ID_LENGTH = 200;
