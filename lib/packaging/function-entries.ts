import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { handlerModule } from '../../functions/shared/handler-module.ts';
import type { Route } from '../../functions/shared/http/route.ts';

/** Assets of routes and workers and what they are made from: `accounts/handlers/get-balance` → `functions/accounts/handlers/get-balance.ts`. */
export function functionEntries(functions: readonly Pick<Route, 'id'>[]): Record<string, string> {
  return Object.fromEntries(
    functions.map((entry) => {
      const module = handlerModule(entry);
      const source = `functions/${module}.ts`;
      if (!existsSync(fileURLToPath(new URL(`../../${source}`, import.meta.url))))
        throw new Error(`${entry.id} has no handler: ${source} does not exist.`);
      return [module, source];
    }),
  );
}
