import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, workflows } from '../../wiring/workflows/workflows.ts';
import { findVersion } from '../domain/manage-workflows.ts';
import { toVersionResponse } from '../responses.ts';
import { getVersionRoute } from '../routes.ts';

const ports = { workflows: workflows() };

const endpoint = pipeline(getVersionRoute, http, async ({ principal, params }) => {
  const found = await findVersion({ workspaceId: principal.workspaceId, workflowId: params.id }, params.number, ports);
  return envelopeReply(200, toVersionResponse(found, { withGraph: true }), 'The version.');
});

export const handler = bufferedHandler(endpoint);
