import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/knowledge/bases.ts';
import { sourcePorts } from '../../wiring/knowledge/sources.ts';
import { removeSource } from '../domain/sources/manage-sources.ts';
import { removeSourceRoute } from '../sources/routes.ts';

const ports = sourcePorts();

const endpoint = pipeline(removeSourceRoute, http, async ({ principal, params }) => {
  await removeSource({ workspaceId: principal.workspaceId, baseId: params.id, sourceId: params.source_id }, ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
