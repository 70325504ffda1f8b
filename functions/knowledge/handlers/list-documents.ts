import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { bases, documents, http } from '../../wiring/knowledge/bases.ts';
import { toDocumentResponse } from '../bases/responses.ts';
import { listDocumentsRoute } from '../bases/routes.ts';
import { documentPage } from '../domain/manage-knowledge.ts';

const ports = { bases: bases(), documents: documents() };

const endpoint = pipeline(listDocumentsRoute, http, async ({ principal, params, query }) => {
  const base = { workspaceId: principal.workspaceId, baseId: params.id };
  const { limit, cursor: before = null } = query;
  const { items, nextCursor } = await documentPage(base, { limit, before }, ports);
  const data = { documents: items.map(toDocumentResponse), next_cursor: nextCursor };
  return envelopeReply(200, data, 'Documents, newest first.');
});

export const handler = bufferedHandler(endpoint);
