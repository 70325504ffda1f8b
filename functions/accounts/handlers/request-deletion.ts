import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, workspacePorts } from '../../wiring/accounts/accounts.ts';
import { originOf } from '../audit-origin.ts';
import { requestDeletion } from '../domain/manage-workspace.ts';
import { toWorkspaceResponse } from '../workspace-responses.ts';
import { requestDeletionRoute } from '../workspace-routes.ts';

const ports = workspacePorts();

const endpoint = pipeline(requestDeletionRoute, http, async ({ body, ...request }) => {
  const { workspaceId } = request.principal;
  const workspace = await requestDeletion(workspaceId, body.workspace_name, originOf(request), ports);
  return envelopeReply(202, toWorkspaceResponse(workspace), `Deleted after ${workspace.deletion.deletesAt}.`);
});

export const handler = bufferedHandler(endpoint);
