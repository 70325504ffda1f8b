import type { HttpExchange, HttpMiddleware } from '../http-middleware.ts';

/** Sends the response where the execution mode has a stream; otherwise Lambda returns it. */
export function delivery(): HttpMiddleware {
  return {
    after: deliver,
    // Thrown here, a failure would skip the middlewares around this one.
    onError: (exchange) =>
      deliver(exchange).catch((error: unknown) => {
        exchange.error = error;
        exchange.response = undefined;
      }),
  };
}

/** Also called after its own failure; the client gets one response. */
async function deliver({ response, internal }: HttpExchange): Promise<void> {
  if (response === undefined || internal.sent) return;
  internal.sent = response;
  await internal.send?.(response, internal.request.signal);
}
