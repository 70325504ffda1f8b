import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/knowledge/bases.ts';
import { createBasePorts } from '../../wiring/knowledge/create-base.ts';
import { toBaseDraft, toBaseResponse } from '../bases/responses.ts';
import { createKnowledgeBaseRoute } from '../bases/routes.ts';
import { createBase } from '../domain/manage-knowledge.ts';

const ports = createBasePorts();

const endpoint = pipeline(createKnowledgeBaseRoute, http, async ({ principal, body }) => {
  const created = await createBase(principal.workspaceId, toBaseDraft(body), ports);
  return {
    ...envelopeReply(201, toBaseResponse(created), 'The knowledge base is created.'),
    headers: { location: `/api/v1/knowledge-bases/${created.baseId}` },
  };
});

export const handler = bufferedHandler(endpoint);
