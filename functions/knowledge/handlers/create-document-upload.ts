import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { bases, http, uploadPorts } from '../../wiring/knowledge/bases.ts';
import { toUploadResponse } from '../bases/responses.ts';
import { createDocumentUploadRoute } from '../bases/routes.ts';
import { createUpload } from '../domain/document-content.ts';
import { findBase } from '../domain/manage-knowledge.ts';

const ports = { ...uploadPorts(), bases: bases() };

const endpoint = pipeline(createDocumentUploadRoute, http, async ({ principal, params, body }) => {
  const base = { workspaceId: principal.workspaceId, baseId: params.id };
  await findBase(base, ports);
  const upload = await createUpload(base, { mediaType: body.content_type, bytes: body.content_length }, ports);
  return envelopeReply(200, toUploadResponse(upload), 'PUT the file to upload_url, then add it as a document.');
});

export const handler = bufferedHandler(endpoint);
