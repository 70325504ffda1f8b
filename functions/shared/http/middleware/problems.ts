import { Contention } from '../../contention.ts';
import { logger } from '../../logging.ts';
import { TooBusy } from '../../too-busy.ts';
import { errorFormats, errorFrames } from '../error-formats.ts';
import type { HttpExchange, HttpMiddleware } from '../http-middleware.ts';
import { interruptible } from '../interruptible.ts';
import { inKorean } from '../korean-problem.ts';
import { Problem } from '../problem.ts';
import { httpResponse } from '../reply.ts';
import type { Route } from '../route.ts';
import { isFrames } from '../write-frames.ts';

export interface ProblemPorts {
  /** Where the guides are, without a slash at its end: error responses link to theirs. By default they link to none. */
  readonly guidesUrl?: () => string | undefined;
  /** The problem that one of the service's own errors is to its client; null for anything unexpected. */
  readonly toProblem?: (error: unknown) => Problem | null;
}

/** Makes the route's error body, or the last event of a stream, of anything thrown. Unexpected errors are logged, and reveal nothing. */
export function problems(
  { id, errors }: Pick<Route, 'id' | 'errors'>,
  { guidesUrl, toProblem }: ProblemPorts,
): HttpMiddleware {
  const guides = guidesUrl?.();
  const problemOf = (error: unknown, { internal: { deadline, request }, context }: HttpExchange): Problem => {
    if (error instanceof Problem) return error;
    if (context.signal?.aborted) return new Problem(499, 'client_closed_request', 'The client has gone away.');
    if (deadline.signal.aborted) return deadline.signal.reason;
    if (error instanceof Contention || error instanceof TooBusy)
      return new Problem(503, 'try_again', error.message, { headers: { 'retry-after': '1' } });
    return toProblem?.(error) ?? unexpected(error, id, request.requestId);
  };
  return {
    after(exchange) {
      const { response, internal } = exchange;
      if (!response || !isFrames(response)) return;
      const { signal, background, language } = internal.request;
      // A client that reads a stream has its status already: an error is its last event.
      const last = (error: unknown) => errorFrames(errors, inLanguage(problemOf(error, exchange), language));
      exchange.response = { ...response, body: interruptible(response.body, { signal, last, settled: background }) };
    },
    onError(exchange) {
      const { sent, request } = exchange.internal;
      // A response that could not be sent has no other one after it: the function fails.
      if (sent) return;
      const problem = problemOf(exchange.error, exchange);
      const help = guides === undefined ? {} : { link: `<${guides}/errors.md#${problem.code}>; rel="help"` };
      const body = errorFormats[errors].body(inLanguage(problem, request.language), request.requestId);
      exchange.response = httpResponse({ status: problem.status, headers: { ...help, ...problem.headers }, body });
    },
  };
}

function inLanguage(problem: Problem, language: 'ko' | 'en') {
  return language === 'ko' ? inKorean(problem) : problem;
}

function unexpected(error: unknown, route: string, requestId: string): Problem {
  logger().error('Unexpected error', { requestId, route, error: error as Error });
  return new Problem(
    500,
    'internal_error',
    `Something went wrong on our side. Quote the request id ${requestId} when you ask us about it.`,
  );
}
