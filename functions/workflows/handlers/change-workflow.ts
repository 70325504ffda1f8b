import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, managePorts } from '../../wiring/workflows/workflows.ts';
import { changeWorkflow } from '../domain/manage-workflows.ts';
import { toGraph } from '../graph-wire.ts';
import { etagOf, expectedVersionOf, toWorkflowResponse } from '../responses.ts';
import { changeWorkflowRoute } from '../routes.ts';

const ports = managePorts();

const endpoint = pipeline(changeWorkflowRoute, http, async ({ principal, params, headers, body }) => {
  const expectedVersion = expectedVersionOf(headers['if-match']);
  const { name, description, graph } = body;
  const change = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(graph && { graph: toGraph(graph) }),
    ...(expectedVersion !== undefined && { expectedVersion }),
  };
  const changed = await changeWorkflow({ workspaceId: principal.workspaceId, workflowId: params.id }, change, ports);
  return { ...envelopeReply(200, toWorkflowResponse(changed), 'The workflow is changed.'), headers: etagOf(changed) };
});

export const handler = bufferedHandler(endpoint);
