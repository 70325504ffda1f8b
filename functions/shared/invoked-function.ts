import type { Context } from 'aws-lambda';
import type { Problem } from './http/problem.ts';
import { traceparentOf } from './invocation-version.ts';
import { invocationVersion } from './middleware/invocation-version.ts';
import { pendingWork } from './middleware/pending-work.ts';
import { type Refused, refusals } from './middleware/refusals.ts';
import { type Exchange, inSpanOf, middy } from './middy.ts';

/** The result of a function that other functions invoke. */
export type Outcome<Result> = { readonly result: Result } | Refused;

export interface Invocation {
  /** Epoch time at which the function ends for certain. */
  readonly deadlineMs: number;
  /** Aborted when the caller has gone; on AWS a function does not notice. */
  readonly signal: AbortSignal;
  /** Takes work that the result does not depend on. */
  readonly background: (work: Promise<unknown>) => void;
}

type InvocationContext = Pick<Context, 'getRemainingTimeInMillis'> & { readonly signal?: AbortSignal };
type Invoked<Event, Result> = (event: Event, context: InvocationContext) => Promise<Result>;

/** The handler of a function that only other functions of the deployment may invoke. */
export function invokedHandler<Event, Result>(
  toProblem: (error: unknown) => Problem | null,
  run: (event: Event, invocation: Invocation) => Promise<Result>,
): Invoked<Event, Outcome<Result>> {
  const handle = async (event: Event, context: InvocationContext & Pick<Invocation, 'background'>) => {
    const { background, signal = new AbortController().signal } = context;
    const deadlineMs = Date.now() + context.getRemainingTimeInMillis();
    return { result: await run(event, { deadlineMs, signal, background }) };
  };
  return middy(handle, inInvocationSpan<Event, Outcome<Result>>())
    .use(pendingWork())
    .use(refusals(toProblem))
    .use(invocationVersion());
}

/** The handler of a function that other functions start without waiting for a result. */
export function startedHandler<Event>(
  run: (event: Event, context: InvocationContext) => Promise<void>,
): Invoked<Event, void> {
  return middy(run, inInvocationSpan<Event, void>()).use(invocationVersion());
}

/** In the trace of the caller. */
function inInvocationSpan<Event, Result>() {
  return inSpanOf<Exchange, Invoked<Event, Result>>((event) => ({
    name: 'invocation',
    kind: 'server',
    parent: traceparentOf(event as object),
  }));
}
