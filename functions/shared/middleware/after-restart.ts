import type { Exchange, Middleware } from '../middy.ts';

/** A round of a reconciler. */
export interface Round {
  /** True for the first round of a service that keeps its queues in memory: none of their messages are left. */
  readonly afterRestart: boolean;
}

/** Reads from the event of a schedule, or of a local service at its start, whether queues have lost their messages. */
export function afterRestart(): Middleware<Exchange> {
  return {
    before(exchange) {
      const { queueIsEmpty } = exchange.event as { readonly queueIsEmpty?: unknown };
      exchange.event = { afterRestart: queueIsEmpty === true } satisfies Round;
    },
  };
}
