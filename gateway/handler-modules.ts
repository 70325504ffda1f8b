import { handlerModule } from '../functions/shared/handler-module.ts';
import type { Route } from '../functions/shared/http/route.ts';
import { aroundHandler } from './around-handler.ts';

/** `(event, context)`, or `(event, responseStream, context)` when it streams. */
export type Handler = (event: object, ...rest: unknown[]) => unknown;

const loaded = new Map<string, Promise<Handler>>();

/** The `handler` that a route's module exports, loaded on first use as a Lambda cold start does. */
export function loadHandler(route: Pick<Route, 'id'>): Promise<Handler> {
  const module = handlerModule(route);
  const known = loaded.get(module);
  if (known !== undefined) return known;
  const loading = importHandler(route);
  loaded.set(module, loading);
  // A module that could not be loaded is tried again at the next request.
  loading.catch(() => loaded.delete(module));
  return loading;
}

async function importHandler(route: Pick<Route, 'id'>): Promise<Handler> {
  const path = handlerModule(route);
  const module: { handler?: unknown } = await import(new URL(`../functions/${path}.ts`, import.meta.url).href);
  if (typeof module.handler !== 'function') throw new Error(`functions/${path}.ts exports no handler function`);
  return aroundHandler(route.id, module.handler as Handler);
}
