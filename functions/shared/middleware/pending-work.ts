import { logger } from '../logging.ts';
import type { Exchange, Middleware } from '../middy.ts';

/** Gives the handler `background` in its context, for work that the result does not depend on, and waits for that work. */
export function pendingWork(): Middleware<Exchange> {
  const pending = new WeakMap<object, Promise<unknown>[]>();
  const wait = async ({ internal }: Exchange) => void (await Promise.all(pending.get(internal) ?? []));
  return {
    before(exchange) {
      const works: Promise<unknown>[] = [];
      pending.set(exchange.internal, works);
      const warn = (error: Error) => logger().warn('Background work failed', { error });
      const background = (work: Promise<unknown>) => void works.push(work.catch(warn));
      exchange.context = { ...(exchange.context as object), background };
    },
    after: wait,
    onError: wait,
  };
}
