import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { manageProviderPorts } from '../../wiring/accounts/sso.ts';
import { originOf } from '../audit-origin.ts';
import { configureProvider } from '../domain/manage-identity-provider.ts';
import { providerSettingsOf, toSsoResponse } from '../sso-responses.ts';
import { configureSsoRoute } from '../sso-routes.ts';

const ports = manageProviderPorts();

const endpoint = pipeline(configureSsoRoute, http, async ({ body, ...request }) => {
  const { workspaceId } = request.principal;
  const configured = await configureProvider(workspaceId, providerSettingsOf(body), originOf(request), ports);
  return envelopeReply(200, toSsoResponse(configured), 'Publish the record of each domain, then ask for the proof.');
});

export const handler = bufferedHandler(endpoint);
