import type { Problem } from '../http/problem.ts';
import { VersionMismatch } from '../invocation-version.ts';
import type { Exchange, Middleware } from '../middy.ts';

/** As its service's API would refuse it. */
export interface Refused {
  readonly refused: Pick<Problem, 'status' | 'code' | 'message'> & Partial<Pick<Problem, 'details' | 'headers'>>;
}

/** Makes the result of a call of an error that its service's API would refuse it with. Any other error fails the function. */
export function refusals(toProblem: (error: unknown) => Problem | null): Middleware<Exchange> {
  return {
    onError(exchange) {
      const refused = refusalOf(exchange.error, toProblem);
      if (refused) exchange.response = { refused } satisfies Refused;
    },
  };
}

function refusalOf(error: unknown, toProblem: (error: unknown) => Problem | null): Refused['refused'] | null {
  // Callers try a 503 again: by then the deployment may have ended.
  if (error instanceof VersionMismatch) return { status: 503, code: 'version_mismatch', message: error.message };
  const problem = toProblem(error);
  if (problem === null) return null;
  const { status, code, message, details, headers } = problem;
  return {
    status,
    code,
    message,
    ...(details && { details }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}
