import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { bases, documents, http, removePorts, uploads } from '../../wiring/knowledge/bases.ts';
import { removeDocumentRoute } from '../bases/routes.ts';
import { removeDocument } from '../domain/manage-knowledge.ts';

const ports = { ...removePorts(), bases: bases(), documents: documents(), uploads: uploads() };

const endpoint = pipeline(removeDocumentRoute, http, async ({ principal, params }) => {
  const base = { workspaceId: principal.workspaceId, baseId: params.id };
  await removeDocument({ ...base, documentId: params.document_id }, ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
