import type { Route } from '../shared/http/route.ts';
import { accessTokenRoutes } from './access-tokens/routes.ts';
import { applicationRoutes } from './applications/routes.ts';
import { completionRoutes } from './completions/routes.ts';
import { conversationRoutes } from './conversations/routes.ts';
import { embedRoutes } from './embed/routes.ts';
import { embeddingsApiRoutes } from './embeddings-api/routes.ts';
import { responsesApiRoutes } from './responses-api/routes.ts';

/** Handlers import the routes of their subject alone: the schemas of the others are not theirs to load. */
export const chatRoutes: readonly Route[] = [
  ...applicationRoutes,
  ...accessTokenRoutes,
  ...completionRoutes,
  ...responsesApiRoutes,
  ...embeddingsApiRoutes,
  ...conversationRoutes,
  ...embedRoutes,
];
