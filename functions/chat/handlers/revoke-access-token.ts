import { originOf } from '../../accounts/audit-origin.ts';
import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, tokenPorts } from '../../wiring/chat/chat.ts';
import { revokeAccessTokenRoute } from '../access-tokens/routes.ts';
import { revokeAccessToken } from '../domain/access-tokens.ts';

const ports = tokenPorts();

const endpoint = pipeline(revokeAccessTokenRoute, http, async ({ params, ...request }) => {
  const application = { workspaceId: request.principal.workspaceId, applicationId: params.id };
  await revokeAccessToken(application, params.token_id, originOf(request), ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
