import { originOf } from '../../accounts/audit-origin.ts';
import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, tokenPorts } from '../../wiring/chat/chat.ts';
import { settingsOf, toAccessTokenResponse } from '../access-tokens/responses.ts';
import { changeAccessTokenRoute } from '../access-tokens/routes.ts';
import { changeAccessToken } from '../domain/access-tokens.ts';

const ports = tokenPorts();

const endpoint = pipeline(changeAccessTokenRoute, http, async ({ params, body, ...request }) => {
  const application = { workspaceId: request.principal.workspaceId, applicationId: params.id };
  const changed = await changeAccessToken(application, params.token_id, settingsOf(body), originOf(request), ports);
  return envelopeReply(200, toAccessTokenResponse(changed), 'The access token is changed.');
});

export const handler = bufferedHandler(endpoint);
