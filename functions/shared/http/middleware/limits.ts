import type { LimitPorts } from '../../limits/take-tokens.ts';
import { addHeaders, type HttpMiddleware, onResponse } from '../http-middleware.ts';
import { RequestLimits } from '../rate-limits.ts';
import type { Route } from '../route.ts';

export interface LimitsPorts {
  readonly limits?: () => LimitPorts;
}

/** The limits of a request, from which its admission takes tokens; the response has the numbers of the tightest. */
export function limits(route: Route, { limits: make }: LimitsPorts): HttpMiddleware {
  const ports = limitPortsOf(route, make);
  return {
    before({ internal }) {
      internal.limits = new RequestLimits(route, ports);
    },
    ...onResponse((exchange) => addHeaders(exchange, exchange.internal.limits.headers())),
  };
}

function limitPortsOf({ id, rateLimits, isUnlimited }: Route, make: (() => LimitPorts) | undefined): LimitPorts | null {
  if (rateLimits !== undefined && make === undefined)
    throw new Error(`${id} has rate limits, and nothing to keep them in.`);
  return isUnlimited || make === undefined ? null : make();
}
