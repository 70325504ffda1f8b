import { environment } from '../../shared/environment.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { envelopeBody } from '../../shared/http/problem-body.ts';
import type { OpenApiDocument } from '../domain/openapi-document.ts';
import { getOpenapiRoute } from '../routes.ts';

const { SERVICE_VERSION } = environment('SERVICE_VERSION');
/** Seen from the document, so that it is right behind a stage's prefix and behind a name of one's own alike. */
const SERVER_URL = '../..';
let document: Promise<OpenApiDocument> | undefined;

export const handler = apiHandler(getOpenapiRoute, { presentProblem: envelopeBody }, async () => {
  document ??= describe();
  return { status: 200, body: await document };
});

/** Only now: the schemas of all routes are much to load for a function that may never be asked. */
async function describe(): Promise<OpenApiDocument> {
  const [{ openApiDocument }, { routes }] = await Promise.all([
    import('../domain/openapi-document.ts'),
    import('../../routes.ts'),
  ]);
  return openApiDocument(routes, { version: SERVICE_VERSION, serverUrl: SERVER_URL });
}
