import type { Route } from '../../functions/shared/http/route.ts';

/** `(event, context)`, or `(event, responseStream, context)` when it streams. */
export type Handler = (event: object, ...rest: unknown[]) => unknown;

const loaded = new Map<string, Promise<Handler>>();

/** The `handler` that a route's module exports, loaded on first use as a Lambda cold start does. */
export function loadHandler(route: Route): Promise<Handler> {
  const known = loaded.get(route.handler);
  if (known !== undefined) return known;
  const loading = importHandler(route);
  loaded.set(route.handler, loading);
  // A module that could not be loaded is tried again at the next request.
  loading.catch(() => loaded.delete(route.handler));
  return loading;
}

async function importHandler({ id, handler: path }: Route): Promise<Handler> {
  const module: { handler?: unknown } = await import(new URL(`../../functions/${path}.ts`, import.meta.url).href);
  if (typeof module.handler !== 'function')
    throw new Error(`functions/${path}.ts of ${id} exports no handler function`);
  return module.handler as Handler;
}
