import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, managePorts } from '../../wiring/workflows/workflows.ts';
import { restoreVersion } from '../domain/manage-workflows.ts';
import { etagOf, toWorkflowResponse } from '../responses.ts';
import { restoreVersionRoute } from '../routes.ts';

const ports = managePorts();

const endpoint = pipeline(restoreVersionRoute, http, async ({ principal, params }) => {
  const id = { workspaceId: principal.workspaceId, workflowId: params.id };
  const restored = await restoreVersion(id, params.number, ports);
  return {
    ...envelopeReply(200, toWorkflowResponse(restored), 'The version is the draft.'),
    headers: etagOf(restored),
  };
});

export const handler = bufferedHandler(endpoint);
