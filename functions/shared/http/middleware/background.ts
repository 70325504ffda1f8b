import { logger } from '../../logging.ts';
import { type HttpMiddleware, onResponse } from '../http-middleware.ts';

/** Waits for work that the response does not depend on, up to the deadline: Lambda freezes pending work when the function returns. */
export function background(): HttpMiddleware {
  const pending = new WeakMap<object, Promise<void>[]>();
  return {
    before({ internal }) {
      const works: Promise<void>[] = [];
      const warn = (error: unknown) =>
        logger().warn('Background work failed', { requestId: internal.request.requestId, error });
      pending.set(internal, works);
      internal.background = (work) => void works.push(work.then(() => undefined, warn));
    },
    ...onResponse(async ({ internal }) => {
      await internal.deadline.race(Promise.all(pending.get(internal) ?? [])).catch(() => undefined);
    }),
  };
}
