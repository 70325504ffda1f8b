import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { manageProviderPorts } from '../../wiring/accounts/sso.ts';
import { originOf } from '../audit-origin.ts';
import { removeProvider } from '../domain/manage-identity-provider.ts';
import { removeSsoRoute } from '../sso-routes.ts';

const ports = manageProviderPorts();

const endpoint = pipeline(removeSsoRoute, http, async (request) => {
  await removeProvider(request.principal.workspaceId, originOf(request), ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
