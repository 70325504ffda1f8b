import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { findDocument } from '../domain/knowledge/manage-knowledge.ts';
import { toDocumentResponse } from '../knowledge/responses.ts';
import { getDocumentRoute } from '../knowledge/routes.ts';
import { bases, documents, http } from '../knowledge/wiring.ts';

const ports = { bases: bases(), documents: documents() };

const endpoint = pipeline(getDocumentRoute, http, async ({ principal, params }) => {
  const base = { workspaceId: principal.workspaceId, baseId: params.id };
  const document = await findDocument({ ...base, documentId: params.document_id }, ports);
  return envelopeReply(200, toDocumentResponse(document), 'The document.');
});

export const handler = bufferedHandler(endpoint);
