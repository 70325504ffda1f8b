import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { bases, clock, http, removePorts } from '../../wiring/knowledge/bases.ts';
import { sources } from '../../wiring/knowledge/sources.ts';
import { removeKnowledgeBaseRoute } from '../bases/routes.ts';
import { removeBase } from '../domain/manage-knowledge.ts';
import { removeSourcesOf } from '../domain/sources/manage-sources.ts';

const ports = { ...removePorts(), bases: bases(), sources: sources(), clock };

const endpoint = pipeline(removeKnowledgeBaseRoute, http, async ({ principal, params }) => {
  const base = { workspaceId: principal.workspaceId, baseId: params.id };
  await removeSourcesOf(base, ports);
  await removeBase(base, ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
