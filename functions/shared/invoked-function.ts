import type { Context } from 'aws-lambda';
import type { Problem } from './http/problem.ts';
import { traceparentOf, unmarkedEvent, VersionMismatch } from './invocation-version.ts';
import { logger } from './logging.ts';
import { inSpan } from './tracing/spans.ts';

/** The result of a function that other functions invoke. */
export type Outcome<Result> =
  | { readonly result: Result }
  /** As its service's API would refuse it. */
  | { readonly refused: Pick<Problem, 'status' | 'code' | 'message'> };

export interface Invocation {
  /** Epoch time at which the function ends for certain. */
  readonly deadlineMs: number;
  /** Aborted when the caller has gone; on AWS a function does not notice. */
  readonly signal: AbortSignal;
  /** Takes work that the result does not depend on. */
  readonly background: (work: Promise<unknown>) => void;
}

type InvocationContext = Pick<Context, 'getRemainingTimeInMillis'> & { readonly signal?: AbortSignal };

/** The handler of a function that only other functions of the deployment may invoke. */
export function invokedHandler<Event, Result>(
  toProblem: (error: unknown) => Problem | null,
  run: (event: Event, invocation: Invocation) => Promise<Result>,
): (event: Event, context: InvocationContext) => Promise<Outcome<Result>> {
  return async (event, { getRemainingTimeInMillis, signal = new AbortController().signal }) => {
    const deadlineMs = Date.now() + getRemainingTimeInMillis();
    const pending: Promise<unknown>[] = [];
    const background = (work: Promise<unknown>) =>
      void pending.push(work.catch((error: Error) => logger().warn('Background work failed', { error })));
    try {
      const parent = traceparentOf(event as object);
      return await inSpan('invocation', { kind: 'server', parent }, async () => {
        return { result: await run(unmarkedEvent(event), { deadlineMs, signal, background }) };
      });
    } catch (error) {
      // Callers try a 503 again: by then the deployment may have ended.
      if (error instanceof VersionMismatch)
        return { refused: { status: 503, code: 'version_mismatch', message: error.message } };
      const problem = toProblem(error);
      if (problem === null) throw error;
      const { status, code, message } = problem;
      return { refused: { status, code, message } };
    } finally {
      await Promise.all(pending);
    }
  };
}
