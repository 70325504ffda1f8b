import { authRoutes } from './accounts/auth-routes.ts';
import { budgetRoutes } from './accounts/budget-routes.ts';
import { memberRoutes } from './accounts/member-routes.ts';
import { accountsRoutes } from './accounts/routes.ts';
import { secondFactorRoutes } from './accounts/second-factor-routes.ts';
import { sessionRoutes } from './accounts/session-routes.ts';
import { ssoRoutes } from './accounts/sso-routes.ts';
import { workspaceRoutes } from './accounts/workspace-routes.ts';
import { channelsRoutes } from './channels/routes.ts';
import { chatRoutes } from './chat/routes.ts';
import { extractionRoutes } from './extraction/routes.ts';
import { knowledgeRoutes } from './knowledge/routes.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import type { Route } from './shared/http/route.ts';
import { systemRoutes } from './system/routes.ts';
import { workflowRoutes } from './workflows/routes.ts';

/** Also served by the container intake, so that an extraction client needs a single address. */
export const specification1Routes: readonly Route[] = [...systemRoutes, ...accountsRoutes, ...extractionRoutes];

/** Every route of the house, in the order of the OpenAPI document. */
export const routes: readonly Route[] = [
  ...specification1Routes,
  ...authRoutes,
  ...memberRoutes,
  ...secondFactorRoutes,
  ...sessionRoutes,
  ...ssoRoutes,
  ...workspaceRoutes,
  ...budgetRoutes,
  ...chatRoutes,
  ...knowledgeRoutes,
  ...channelsRoutes,
  ...workflowRoutes,
  ...sandboxRoutes,
  ...mcpRoutes,
];
