import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, triggers } from '../../wiring/workflows/workflows.ts';
import { removeTrigger } from '../domain/triggers/manage-triggers.ts';
import { removeTriggerRoute } from '../trigger-routes.ts';

const ports = { triggers: triggers() };

const endpoint = pipeline(removeTriggerRoute, http, async ({ principal: { workspaceId }, params }) => {
  await removeTrigger({ workspaceId, workflowId: params.id, triggerId: params.trigger }, ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
