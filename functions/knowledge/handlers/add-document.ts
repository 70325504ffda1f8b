import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { addDocumentPorts, bases, http } from '../../wiring/knowledge/bases.ts';
import { toDocumentResponse, toNewDocument } from '../bases/responses.ts';
import { addDocumentRoute } from '../bases/routes.ts';
import { findBase } from '../domain/manage-knowledge.ts';
import { addOrReplace } from '../domain/replace-document.ts';

const REPLACED = 'The document is replaced once it is indexed.';

const ports = { ...addDocumentPorts(), bases: bases() };

const endpoint = pipeline(addDocumentRoute, http, async ({ principal, params, body }) => {
  const base = { workspaceId: principal.workspaceId, baseId: params.id };
  // Before anything is stored for a base that is not there.
  await findBase(base, ports);
  const externalId = body.external_id ?? body.url ?? null;
  const { document, isNew, sameTitle } = await addOrReplace(base, { ...toNewDocument(body), externalId }, ports);
  const shown = { ...toDocumentResponse(document), same_title_as: sameTitle?.documentId ?? null };
  if (!isNew) return envelopeReply(200, shown, document.status === 'pending' ? REPLACED : 'Nothing has changed.');
  return {
    ...envelopeReply(201, shown, 'The document is added, and will be indexed.'),
    headers: { location: `/api/v1/knowledge-bases/${base.baseId}/documents/${document.documentId}` },
  };
});

export const handler = bufferedHandler(endpoint);
