import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { manageProviderPorts } from '../../wiring/accounts/sso.ts';
import { originOf } from '../audit-origin.ts';
import { proveDomains } from '../domain/manage-identity-provider.ts';
import { toSsoResponse } from '../sso-responses.ts';
import { proveSsoDomainsRoute } from '../sso-routes.ts';

const ports = manageProviderPorts();

const endpoint = pipeline(proveSsoDomainsRoute, http, async (request) => {
  const proved = await proveDomains(request.principal.workspaceId, originOf(request), ports);
  return envelopeReply(200, toSsoResponse(proved), 'All domains are proved. Keep their records.');
});

export const handler = bufferedHandler(endpoint);
