import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, managePorts } from '../../wiring/workflows/workflows.ts';
import { createWorkflow } from '../domain/manage-workflows.ts';
import { toGraph } from '../graph-wire.ts';
import { etagOf, toWorkflowResponse } from '../responses.ts';
import { createWorkflowRoute } from '../routes.ts';

const ports = managePorts();

const endpoint = pipeline(createWorkflowRoute, http, async ({ principal, body }) => {
  const created = await createWorkflow(principal.workspaceId, { ...body, graph: toGraph(body.graph) }, ports);
  return {
    ...envelopeReply(201, toWorkflowResponse(created), 'The workflow is created.'),
    headers: { ...etagOf(created), location: `/api/v1/workflows/${created.workflowId}` },
  };
});

export const handler = bufferedHandler(endpoint);
