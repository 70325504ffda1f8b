import { type HttpMiddleware, onResponse } from '../http-middleware.ts';

/** Names the request in its response, for questions about it. */
export function requestId(): HttpMiddleware {
  return onResponse((exchange) => {
    const { response, internal } = exchange;
    if (response)
      exchange.response = {
        ...response,
        headers: { ...response.headers, 'x-request-id': internal.request.requestId },
      };
  });
}
