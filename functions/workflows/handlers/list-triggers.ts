import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, triggers, workflows } from '../../wiring/workflows/workflows.ts';
import { findWorkflow } from '../domain/manage-workflows.ts';
import { toTriggerResponse } from '../trigger-responses.ts';
import { listTriggersRoute } from '../trigger-routes.ts';

const stored = triggers();
const ports = { workflows: workflows() };

const endpoint = pipeline(listTriggersRoute, http, async ({ principal: { workspaceId }, params: { id }, baseUrl }) => {
  const [found] = await Promise.all([
    stored.list(workspaceId, id),
    findWorkflow({ workspaceId, workflowId: id }, ports),
  ]);
  return envelopeReply(
    200,
    { triggers: found.map((each) => toTriggerResponse(each, baseUrl)) },
    'Triggers, oldest first.',
  );
});

export const handler = bufferedHandler(endpoint);
