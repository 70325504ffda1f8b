import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { publishedKeys } from '../../wiring/accounts/auth.ts';
import { getJwksRoute } from '../auth-routes.ts';

const stored = publishedKeys();

const endpoint = pipeline(getJwksRoute, http, async () => {
  const keys = (await stored.published()).map(({ kid, x }) => {
    return { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x };
  });
  return { status: 200, body: { keys }, headers: { 'cache-control': 'public, max-age=300' } };
});

export const handler = bufferedHandler(endpoint);
