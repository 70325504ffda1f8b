import { originOf } from '../../accounts/audit-origin.ts';
import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, tokenPorts } from '../../wiring/chat/chat.ts';
import { settingsOf, toAccessTokenResponse } from '../access-tokens/responses.ts';
import { createAccessTokenRoute } from '../access-tokens/routes.ts';
import { createAccessToken } from '../domain/access-tokens.ts';

const ports = tokenPorts();

const endpoint = pipeline(createAccessTokenRoute, http, async ({ params, body, baseUrl, ...request }) => {
  const application = { workspaceId: request.principal.workspaceId, applicationId: params.id };
  const { token, text } = await createAccessToken(application, settingsOf(body), originOf(request), ports);
  const created = { ...toAccessTokenResponse(token), token: text, base_url: `${baseUrl}/api/v1/chat/${text}` };
  return envelopeReply(201, created, 'The access token is created. It is shown this once.');
});

export const handler = bufferedHandler(endpoint);
