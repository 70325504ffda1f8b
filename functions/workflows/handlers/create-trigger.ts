import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, triggerPorts } from '../../wiring/workflows/workflows.ts';
import { createTrigger } from '../domain/triggers/manage-triggers.ts';
import { toNewTriggerResponse, toTriggerDraft } from '../trigger-responses.ts';
import { createTriggerRoute } from '../trigger-routes.ts';

const ports = triggerPorts();

const endpoint = pipeline(createTriggerRoute, http, async ({ principal, params, body, baseUrl }) => {
  const workflow = { workspaceId: principal.workspaceId, workflowId: params.id };
  const created = await createTrigger(workflow, toTriggerDraft(body), ports);
  return envelopeReply(201, toNewTriggerResponse(created, baseUrl), 'The trigger is created.');
});

export const handler = bufferedHandler(endpoint);
