import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { staff } from '../../wiring/workflows/staff.ts';
import { http, managePorts } from '../../wiring/workflows/workflows.ts';
import { publishWorkflow } from '../domain/manage-workflows.ts';
import { etagOf, expectedVersionOf, toVersionResponse } from '../responses.ts';
import { publishWorkflowRoute } from '../routes.ts';

const ports = { ...managePorts(), staff };

const endpoint = pipeline(publishWorkflowRoute, http, async ({ principal, params, headers, body }) => {
  const expectedVersion = expectedVersionOf(headers['if-match']);
  const id = { workspaceId: principal.workspaceId, workflowId: params.id };
  const request = { note: body.note, ...(expectedVersion !== undefined && { expectedVersion }) };
  const { published, workflow } = await publishWorkflow(id, request, ports);
  return {
    ...envelopeReply(201, toVersionResponse(published, { withGraph: true }), 'The draft is published.'),
    headers: etagOf(workflow),
  };
});

export const handler = bufferedHandler(endpoint);
