import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { keyIdOf } from '../../shared/principal.ts';
import { http } from '../../wiring/chat/chat.ts';
import { embeddingPorts } from '../../wiring/chat/embeddings.ts';
import { embedTexts } from '../domain/embed-texts.ts';
import { findApplication } from '../domain/manage-applications.ts';
import { toEmbeddingList } from '../embeddings-api/response.ts';
import { createEmbeddingsRoute } from '../embeddings-api/routes.ts';
import { noEmbeddingModel } from '../http-errors.ts';

const ports = embeddingPorts();

const endpoint = pipeline(createEmbeddingsRoute, http, async ({ principal, params, body, signal, background }) => {
  const id = { workspaceId: principal.workspaceId, applicationId: params.application_id };
  const application = await findApplication(id, ports);
  const { dimensions, encoding_format: format = 'float' } = body;
  const wanted = { keyId: keyIdOf(principal), texts: [body.input].flat(), dimensions, background };
  const embedded = await embedTexts(application, wanted, signal, ports);
  if (embedded === null) throw noEmbeddingModel();
  return { status: 200, body: toEmbeddingList(embedded, format) };
});

export const handler = bufferedHandler(endpoint);
