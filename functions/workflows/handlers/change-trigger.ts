import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, triggerPorts } from '../../wiring/workflows/workflows.ts';
import type { JsonObject } from '../domain/graph/graph.ts';
import { changeTrigger } from '../domain/triggers/manage-triggers.ts';
import { toTriggerResponse } from '../trigger-responses.ts';
import { changeTriggerRoute } from '../trigger-routes.ts';

const ports = triggerPorts();

const endpoint = pipeline(changeTriggerRoute, http, async ({ principal, params, body, baseUrl }) => {
  const { name, enabled, inputs, query, priority, cron, time_zone: timeZone } = body;
  const change = {
    ...(name !== undefined && { name }),
    ...(enabled !== undefined && { isEnabled: enabled }),
    ...(inputs !== undefined && { inputs: inputs as JsonObject }),
    ...(query !== undefined && { query }),
    ...(priority !== undefined && { priority }),
    ...(cron !== undefined && { cron }),
    ...(timeZone !== undefined && { timeZone }),
  };
  const id = { workspaceId: principal.workspaceId, workflowId: params.id, triggerId: params.trigger };
  const changed = await changeTrigger(id, change, ports);
  return envelopeReply(200, toTriggerResponse(changed, baseUrl), 'The trigger is changed.');
});

export const handler = bufferedHandler(endpoint);
