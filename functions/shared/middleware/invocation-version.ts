import { unmarkedEvent } from '../invocation-version.ts';
import type { Exchange, Middleware } from '../middy.ts';

/** Checks the version of a call by another function, and takes its mark off the event. @throws VersionMismatch */
export function invocationVersion(): Middleware<Exchange> {
  return {
    before(exchange) {
      exchange.event = unmarkedEvent(exchange.event);
    },
  };
}
