import type { ApiRequest } from '../../shared/http/api-request.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import type { KnowledgeSearch } from '../domain/knowledge-search.ts';
import { type ManageBasePorts, whileThere } from '../domain/manage-knowledge.ts';
import { toSearchResponse } from './responses.ts';
import type { searchKnowledgeRoute } from './routes.ts';

export interface SearchPorts extends Pick<ManageBasePorts, 'bases'> {
  readonly knowledge: KnowledgeSearch;
}

/** Replies to searches of a knowledge base. */
export function searchReply(ports: SearchPorts) {
  return async ({ principal, params, body, signal }: ApiRequest<typeof searchKnowledgeRoute>) => {
    const base = { workspaceId: principal.workspaceId, baseId: params.id };
    const searching = ports.knowledge.search({
      ...body,
      workspaceId: base.workspaceId,
      baseIds: [base.baseId],
      signal,
    });
    const [hits] = await whileThere(base, searching, ports);
    return envelopeReply(200, toSearchResponse(hits), 'Passages, best first.');
  };
}
