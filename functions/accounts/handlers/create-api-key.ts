import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, keyPorts } from '../../wiring/accounts/accounts.ts';
import { originOf } from '../audit-origin.ts';
import { createKey } from '../domain/manage-keys.ts';
import { toApiKeyResponse } from '../responses.ts';
import { createApiKeyRoute } from '../routes.ts';

const ports = keyPorts();

const endpoint = pipeline(createApiKeyRoute, http, async ({ body, ...request }) => {
  const { name, scopes, expires_at: end } = body;
  const validUntil = end === null ? null : new Date(end).toISOString();
  const { workspaceId } = request.principal;
  const { key, text } = await createKey({ workspaceId, name, scopes, validUntil, origin: originOf(request) }, ports);
  return envelopeReply(201, { ...toApiKeyResponse(key), key: text }, 'Keep the key: it is shown this once.');
});

export const handler = bufferedHandler(endpoint);
