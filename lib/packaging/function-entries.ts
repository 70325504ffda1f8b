import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Route } from '../../functions/shared/http/route.ts';

/** Bundle entries of the handlers of routes and workers: `accounts/handlers/get-balance` → `functions/accounts/handlers/get-balance.ts`. */
export function functionEntries(functions: readonly Pick<Route, 'id' | 'handler'>[]): Record<string, string> {
  return Object.fromEntries(
    functions.map(({ id, handler }) => {
      const source = `functions/${handler}.ts`;
      if (!existsSync(fileURLToPath(new URL(`../../${source}`, import.meta.url))))
        throw new Error(`${id} names the handler ${source}, which does not exist.`);
      return [handler, source];
    }),
  );
}
