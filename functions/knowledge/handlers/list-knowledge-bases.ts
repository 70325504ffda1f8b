import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { bases, http } from '../../wiring/knowledge/bases.ts';
import { toBaseResponse } from '../bases/responses.ts';
import { listKnowledgeBasesRoute } from '../bases/routes.ts';
import { basePage } from '../domain/manage-knowledge.ts';

const ports = { bases: bases() };

const endpoint = pipeline(listKnowledgeBasesRoute, http, async ({ principal, query }) => {
  const { limit, cursor: before = null } = query;
  const { items, nextCursor } = await basePage(principal.workspaceId, { limit, before }, ports);
  const data = { knowledge_bases: items.map(toBaseResponse), next_cursor: nextCursor };
  return envelopeReply(200, data, 'Knowledge bases, newest first.');
});

export const handler = bufferedHandler(endpoint);
