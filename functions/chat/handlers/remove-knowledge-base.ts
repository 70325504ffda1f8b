import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { removeBase } from '../domain/knowledge/manage-knowledge.ts';
import { removeKnowledgeBaseRoute } from '../knowledge/routes.ts';
import { bases, http, removePorts } from '../knowledge/wiring.ts';

const ports = { ...removePorts(), bases: bases() };

const endpoint = pipeline(removeKnowledgeBaseRoute, http, async ({ principal, params }) => {
  await removeBase({ workspaceId: principal.workspaceId, baseId: params.id }, ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
