import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { createBase } from '../domain/knowledge/manage-knowledge.ts';
import { createBasePorts } from '../knowledge/create-wiring.ts';
import { toBaseDraft, toBaseResponse } from '../knowledge/responses.ts';
import { createKnowledgeBaseRoute } from '../knowledge/routes.ts';
import { http } from '../knowledge/wiring.ts';

const ports = createBasePorts();

const endpoint = pipeline(createKnowledgeBaseRoute, http, async ({ principal, body }) => {
  const created = await createBase(principal.workspaceId, toBaseDraft(body), ports);
  return {
    ...envelopeReply(201, toBaseResponse(created), 'The knowledge base is created.'),
    headers: { location: `/api/v1/knowledge-bases/${created.baseId}` },
  };
});

export const handler = bufferedHandler(endpoint);
