import untyped from '@middy/core';
import { executionModeStandard } from '@middy/core/Standard';
import type { SpanOptions } from './tracing/span.ts';
import { inSpan } from './tracing/spans.ts';

/** One invocation of a function as middy passes it from middleware to middleware. */
export interface Exchange<Event = unknown, Context = unknown, Response = unknown, Shared extends object = object> {
  event: Event;
  context: Context;
  response: Response | undefined;
  error: unknown;
  /** Facts that middlewares leave for each other. */
  readonly internal: Shared;
}

/**
 * A middleware of middy. Hooks `after` and `onError` return nothing: a returned value would end the chain, and on an error skip the
 * `onError` of all middlewares around it. A value of `before` is the response, without the handler. `after` is not called after an error.
 */
export interface Middleware<E> {
  before?(exchange: E): unknown;
  after?(exchange: E): void | Promise<void>;
  onError?(exchange: E): void | Promise<void>;
}

/** middy's `executionMode`: makes the function that Lambda calls of the steps of an invocation. */
export type ExecutionMode<E extends Exchange, Handler> = (
  tools: {
    readonly middyRequest: (event: E['event'], context: E['context']) => E;
    readonly runRequest: (exchange: E, ...steps: Steps) => Promise<NonNullable<E['response']>>;
  },
  ...steps: Steps
) => Handler;

/** Middlewares, handler and settings, which modes only pass on. */
type Steps = readonly unknown[];

type Framed<E, Handler> = Handler & { use(middleware: Middleware<E>): Framed<E, Handler> };

/** middy with types for what middlewares share: its own have `any`. Its early time-out, which ends with the handler, is off. */
export function middy<E extends Exchange, Handler>(
  handle: (event: never, context: never) => Promise<E['response']>,
  executionMode: ExecutionMode<E, Handler> = executionModeStandard as never,
): Framed<E, Handler> {
  return untyped(handle as never, { executionMode: executionMode as never, timeoutEarlyInMillis: 0 }) as never;
}

/** Runs all of an invocation in a span, which it leaves as `span`: hooks alone cannot, since an asynchronous context needs a function around its work. */
export function inSpanOf<E extends Exchange, Handler>(
  spanOf: (event: E['event']) => SpanOptions & { readonly name: string },
  mode: ExecutionMode<E, Handler> = executionModeStandard as never,
): ExecutionMode<E, Handler> {
  return ({ middyRequest, runRequest }, ...steps) => {
    const runInSpan: typeof runRequest = (exchange, ...rest) => {
      const { name, ...options } = spanOf(exchange.event);
      return inSpan(name, options, (span) => {
        Object.assign(exchange.internal, { span });
        return runRequest(exchange, ...rest);
      });
    };
    return mode({ middyRequest, runRequest: runInSpan }, ...steps);
  };
}
