import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, keyPorts } from '../../wiring/accounts/accounts.ts';
import { originOf } from '../audit-origin.ts';
import { revokeKey } from '../domain/manage-keys.ts';
import { revokeApiKeyRoute } from '../routes.ts';

const ports = keyPorts();

const endpoint = pipeline(revokeApiKeyRoute, http, async ({ params, ...request }) => {
  await revokeKey(request.principal.workspaceId, params.id, originOf(request), ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
