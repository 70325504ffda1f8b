import type { Route } from '../shared/http/route.ts';
import { baseRoutes } from './bases/routes.ts';
import { sourceRoutes } from './sources/routes.ts';

/** Handlers import the routes of their subject alone: the schemas of the others are not theirs to load. */
export const knowledgeRoutes: readonly Route[] = [...baseRoutes, ...sourceRoutes];
