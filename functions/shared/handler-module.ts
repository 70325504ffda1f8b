import type { Route } from './http/route.ts';

/**
 * The module that exports `handler` of a route or worker, under functions/ and without its ending:
 * `accounts.get-balance` → `accounts/handlers/get-balance`.
 */
export function handlerModule({ id }: Pick<Route, 'id'>): string {
  return id.replace('.', '/handlers/');
}
