import { logger } from '../../logging.ts';
import type { Principal } from '../../principal.ts';
import { type HttpMiddleware, onResponse } from '../http-middleware.ts';
import type { Route } from '../route.ts';

/** One line of the log for each request, after the last byte of its response. */
export function requestLog({ id }: Pick<Route, 'id'>): HttpMiddleware {
  return {
    before({ internal }) {
      internal.startedMs = performance.now();
    },
    ...onResponse(({ internal: { request, sent, startedMs, principal } }) => {
      logger().info('request', {
        requestId: request.requestId,
        route: id,
        status: sent?.statusCode,
        durationMs: Math.round(performance.now() - startedMs),
        ...(principal && principalFields(principal)),
      });
    }),
  };
}

function principalFields({ workspaceId, kind, id }: Principal): object {
  return { workspaceId, principal: { kind, id } };
}
