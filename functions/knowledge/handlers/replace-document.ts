import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { addDocumentPorts, bases, http } from '../../wiring/knowledge/bases.ts';
import { toDocumentResponse, toNewDocument } from '../bases/responses.ts';
import { replaceDocumentRoute } from '../bases/routes.ts';
import { replaceDocument } from '../domain/replace-document.ts';

const ports = { ...addDocumentPorts(), bases: bases() };

const endpoint = pipeline(replaceDocumentRoute, http, async ({ principal, params, body }) => {
  const id = { workspaceId: principal.workspaceId, baseId: params.id, documentId: params.document_id };
  const document = await replaceDocument(id, toNewDocument(body), ports);
  const message =
    document.status === 'pending' ? 'The document is replaced once it is indexed.' : 'Nothing has changed.';
  return envelopeReply(200, toDocumentResponse(document), message);
});

export const handler = bufferedHandler(endpoint);
