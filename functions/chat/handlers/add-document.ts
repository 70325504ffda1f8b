import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { addDocument, findBase } from '../domain/knowledge/manage-knowledge.ts';
import { toDocumentResponse, toNewDocument } from '../knowledge/responses.ts';
import { addDocumentRoute } from '../knowledge/routes.ts';
import { addDocumentPorts, bases, http } from '../knowledge/wiring.ts';

const ports = { ...addDocumentPorts(), bases: bases() };

const endpoint = pipeline(addDocumentRoute, http, async ({ principal, params, body }) => {
  const base = { workspaceId: principal.workspaceId, baseId: params.id };
  // Before anything is stored for a base that is not there.
  await findBase(base, ports);
  const added = await addDocument(base, toNewDocument(body), ports);
  return {
    ...envelopeReply(201, toDocumentResponse(added), 'The document is added, and will be indexed.'),
    headers: { location: `/api/v1/knowledge-bases/${base.baseId}/documents/${added.documentId}` },
  };
});

export const handler = bufferedHandler(endpoint);
