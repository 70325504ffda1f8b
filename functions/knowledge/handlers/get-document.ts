import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { bases, documents, http } from '../../wiring/knowledge/bases.ts';
import { toDocumentResponse } from '../bases/responses.ts';
import { getDocumentRoute } from '../bases/routes.ts';
import { findDocument } from '../domain/manage-knowledge.ts';

const ports = { bases: bases(), documents: documents() };

const endpoint = pipeline(getDocumentRoute, http, async ({ principal, params }) => {
  const base = { workspaceId: principal.workspaceId, baseId: params.id };
  const document = await findDocument({ ...base, documentId: params.document_id }, ports);
  return envelopeReply(200, toDocumentResponse(document), 'The document.');
});

export const handler = bufferedHandler(endpoint);
