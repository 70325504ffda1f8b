import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { bases, http } from '../../wiring/knowledge/bases.ts';
import { toBaseResponse } from '../bases/responses.ts';
import { getKnowledgeBaseRoute } from '../bases/routes.ts';
import { findBase } from '../domain/manage-knowledge.ts';

const ports = { bases: bases() };

const endpoint = pipeline(getKnowledgeBaseRoute, http, async ({ principal, params }) => {
  const base = await findBase({ workspaceId: principal.workspaceId, baseId: params.id }, ports);
  return envelopeReply(200, toBaseResponse(base), 'The knowledge base.');
});

export const handler = bufferedHandler(endpoint);
