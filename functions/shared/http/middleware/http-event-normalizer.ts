import { randomUUID } from 'node:crypto';
import { httpRequest } from '../api-request.ts';
import type { HttpMiddleware } from '../http-middleware.ts';

/** Makes a request of API Gateway's event: names of headers in lower case, cookies, the client's address and language. */
export function httpEventNormalizer(): HttpMiddleware {
  return {
    before({ event, context, internal }) {
      const { deadline, background } = internal;
      internal.request = httpRequest(event, {
        awsRequestId: context.awsRequestId ?? randomUUID(),
        deadlineMs: deadline.atMs,
        signal: context.signal ? AbortSignal.any([context.signal, deadline.signal]) : deadline.signal,
        background,
      });
    },
  };
}
