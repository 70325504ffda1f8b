import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { whileThere } from '../domain/knowledge/manage-knowledge.ts';
import { toSearchResponse } from '../knowledge/responses.ts';
import { searchKnowledgeRoute } from '../knowledge/routes.ts';
import { bases, http, knowledge } from '../knowledge/wiring.ts';

const ports = { bases: bases() };

const endpoint = pipeline(searchKnowledgeRoute, http, async ({ principal, params, body, signal }) => {
  const base = { workspaceId: principal.workspaceId, baseId: params.id };
  const searching = knowledge().search({ ...body, workspaceId: base.workspaceId, baseIds: [base.baseId], signal });
  const [hits] = await whileThere(base, searching, ports);
  return envelopeReply(200, toSearchResponse(hits), 'Passages, best first.');
});

export const handler = bufferedHandler(endpoint);
