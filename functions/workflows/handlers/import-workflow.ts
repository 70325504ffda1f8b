import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { fromDify } from '../domain/import/dify-dsl.ts';
import { createWorkflow } from '../domain/manage-workflows.ts';
import { etagOf, toWorkflowResponse } from '../responses.ts';
import { importWorkflowRoute } from '../routes.ts';
import { http, managePorts, parseYaml } from '../wiring.ts';

const ports = managePorts();

const endpoint = pipeline(importWorkflowRoute, http, async ({ principal, body }) => {
  const { unsupported, ...draft } = fromDify(await parseYaml(body.dsl));
  const created = await createWorkflow(principal.workspaceId, { ...draft, name: body.name ?? draft.name }, ports);
  const named = unsupported.map(({ nodeId, type, message }) => ({ node_id: nodeId, type, message }));
  return {
    ...envelopeReply(201, { workflow: toWorkflowResponse(created), unsupported: named }, 'The workflow is created.'),
    headers: { ...etagOf(created), location: `/api/v1/workflows/${created.workflowId}` },
  };
});

export const handler = bufferedHandler(endpoint);
