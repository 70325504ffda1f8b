import { accountsRoutes } from './accounts/routes.ts';
import { extractionRoutes } from './extraction/routes.ts';
import type { Route } from './shared/http/route.ts';
import { systemRoutes } from './system/routes.ts';

/** Every route of the house, in the order of the OpenAPI document. */
export const routes: readonly Route[] = [...systemRoutes, ...accountsRoutes, ...extractionRoutes];
