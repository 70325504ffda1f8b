import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { removeSource } from '../domain/knowledge/sources/manage-sources.ts';
import { http } from '../knowledge/wiring.ts';
import { removeSourceRoute } from '../knowledge-sources/routes.ts';
import { sourcePorts } from '../knowledge-sources/wiring.ts';

const ports = sourcePorts();

const endpoint = pipeline(removeSourceRoute, http, async ({ principal, params }) => {
  await removeSource({ workspaceId: principal.workspaceId, baseId: params.id, sourceId: params.source_id }, ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
