import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, passagePorts } from '../../wiring/knowledge/bases.ts';
import { toPassagesResponse } from '../bases/responses.ts';
import { listPassagesRoute } from '../bases/routes.ts';
import { passagePage } from '../domain/document-passages.ts';

const ports = passagePorts();

const endpoint = pipeline(listPassagesRoute, http, async ({ principal, params, query }) => {
  const id = { workspaceId: principal.workspaceId, baseId: params.id, documentId: params.document_id };
  const { limit, cursor = '0' } = query;
  const page = await passagePage(id, { limit, after: Number(cursor) }, ports);
  return envelopeReply(200, toPassagesResponse(page), 'Passages, in the order of the document.');
});

export const handler = bufferedHandler(endpoint);
