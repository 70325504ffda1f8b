import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { bases, http } from '../../wiring/knowledge/bases.ts';
import { toBaseResponse } from '../bases/responses.ts';
import { changeKnowledgeBaseRoute } from '../bases/routes.ts';
import { changeBase } from '../domain/manage-knowledge.ts';

const ports = { bases: bases() };

const endpoint = pipeline(changeKnowledgeBaseRoute, http, async ({ principal, params, body }) => {
  const changed = await changeBase({ workspaceId: principal.workspaceId, baseId: params.id }, body, ports);
  return envelopeReply(200, toBaseResponse(changed), 'The knowledge base is changed.');
});

export const handler = bufferedHandler(endpoint);
