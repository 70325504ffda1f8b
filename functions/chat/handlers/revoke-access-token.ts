import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { revokeAccessTokenRoute } from '../access-tokens/routes.ts';
import { revokeAccessToken } from '../domain/access-tokens.ts';
import { accessTokenStore, http } from '../wiring.ts';

const ports = { tokens: accessTokenStore() };

const endpoint = pipeline(revokeAccessTokenRoute, http, async ({ principal, params }) => {
  const application = { workspaceId: principal.workspaceId, applicationId: params.id };
  await revokeAccessToken(application, params.token_id, ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
