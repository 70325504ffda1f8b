import type { Authenticators } from '../authenticate.ts';
import { corsHeaders } from '../cors.ts';
import { addHeaders, type HttpMiddleware, onResponse } from '../http-middleware.ts';

/** Lets pages of allowed origins read responses, and any page those to a public token. Preflights are answered by the gateway. */
export function cors(authenticators: Authenticators, origins?: () => readonly string[]): HttpMiddleware {
  const allowed = origins?.() ?? [];
  return onResponse((exchange) => {
    const { request } = exchange.internal;
    const isPublic = Boolean(authenticators['path-token']?.find(request));
    addHeaders(exchange, corsHeaders(request.headers.origin, isPublic ? 'any' : allowed));
  });
}
