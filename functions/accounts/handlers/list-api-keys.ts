import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, keyRing } from '../../wiring/accounts/accounts.ts';
import { toApiKeyResponse } from '../responses.ts';
import { listApiKeysRoute } from '../routes.ts';

const ring = keyRing();

const endpoint = pipeline(listApiKeysRoute, http, async ({ principal }) => {
  const { keys } = await ring.keysOf(principal.workspaceId);
  return envelopeReply(200, keys.map(toApiKeyResponse), 'API keys, newest first.');
});

export const handler = bufferedHandler(endpoint);
