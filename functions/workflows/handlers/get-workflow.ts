import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, workflows } from '../../wiring/workflows/workflows.ts';
import { findWorkflow } from '../domain/manage-workflows.ts';
import { etagOf, toWorkflowResponse } from '../responses.ts';
import { getWorkflowRoute } from '../routes.ts';

const ports = { workflows: workflows() };

const endpoint = pipeline(getWorkflowRoute, http, async ({ principal, params }) => {
  const found = await findWorkflow({ workspaceId: principal.workspaceId, workflowId: params.id }, ports);
  return { ...envelopeReply(200, toWorkflowResponse(found), 'The workflow.'), headers: etagOf(found) };
});

export const handler = bufferedHandler(endpoint);
