import { inSpanOf } from '../../middy.ts';
import { type HttpExchange, type HttpMiddleware, type HttpMode, onResponse } from '../http-middleware.ts';
import type { Route } from '../route.ts';

/** Sets the response's status in the span of the request. */
export function tracing(): HttpMiddleware {
  return onResponse(({ internal: { span, sent } }) => {
    if (sent === undefined) return;
    span.set({ 'http.response.status_code': sent.statusCode });
    if (sent.statusCode >= 500) span.fail(String(sent.statusCode));
  });
}

/** Runs all of a request in a span. */
export function inServerSpan<Handler>({ method, path }: Pick<Route, 'method' | 'path'>, mode: HttpMode<Handler>) {
  // Without the query and the ids of the path: nothing of a user's.
  const attributes = { 'http.request.method': method, 'http.route': path };
  return inSpanOf<HttpExchange, Handler>(
    ({ headers }) => ({ name: `${method} ${path}`, kind: 'server', attributes, parent: traceparentOf(headers) }),
    mode,
  );
}

/** Of the client's own trace, however the header is spelt. */
function traceparentOf(headers: Readonly<Record<string, string | undefined>> | null): string | undefined {
  return Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'traceparent')?.[1];
}
