import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { toSearchResponse } from '../bases/responses.ts';
import { searchKnowledgeRoute } from '../bases/routes.ts';
import { bases, http, knowledge } from '../bases/wiring.ts';
import { whileThere } from '../domain/manage-knowledge.ts';

const ports = { bases: bases() };

const endpoint = pipeline(searchKnowledgeRoute, http, async ({ principal, params, body, signal }) => {
  const base = { workspaceId: principal.workspaceId, baseId: params.id };
  const searching = knowledge().search({ ...body, workspaceId: base.workspaceId, baseIds: [base.baseId], signal });
  const [hits] = await whileThere(base, searching, ports);
  return envelopeReply(200, toSearchResponse(hits), 'Passages, best first.');
});

export const handler = bufferedHandler(endpoint);
