import { environment } from '../../shared/environment.ts';
import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import { httpPorts } from '../../wiring/shared/http.ts';
import { getOpenapiRoute } from '../routes.ts';

const { SERVICE_VERSION } = environment('SERVICE_VERSION');
/** Relative to the document, so that it also holds behind a stage's prefix or a custom domain. */
const SERVER_URL = '../..';

/** Made only now: the schemas of all routes are much to load for a function that may never be asked. */
const document = memoizeAsync(async () => {
  const [{ openApiDocument }, { routes }] = await Promise.all([
    import('../openapi/openapi-document.ts'),
    import('../../routes.ts'),
  ]);
  return openApiDocument(routes, { version: SERVICE_VERSION, serverUrl: SERVER_URL });
});

const endpoint = pipeline(getOpenapiRoute, httpPorts, async () => {
  return { status: 200, body: await document() };
});

export const handler = bufferedHandler(endpoint);
