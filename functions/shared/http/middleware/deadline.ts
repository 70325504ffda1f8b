import { Deadline } from '../deadline.ts';
import { type HttpMiddleware, onResponse } from '../http-middleware.ts';

/** Reserved so that a timeout can still be answered. */
const TIMEOUT_RESERVE_MS = 300;

/** Ends a request shortly before its function would be cut off; holds for streams to their last byte. */
export function deadline(): HttpMiddleware {
  return {
    before(exchange) {
      const deadline = new Deadline(exchange.context.getRemainingTimeInMillis() - TIMEOUT_RESERVE_MS);
      exchange.internal.deadline = deadline;
      exchange.context = { ...exchange.context, deadline };
    },
    ...onResponse(({ internal }) => internal.deadline.clear()),
  };
}
