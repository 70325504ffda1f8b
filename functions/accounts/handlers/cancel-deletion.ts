import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, workspacePorts } from '../../wiring/accounts/accounts.ts';
import { originOf } from '../audit-origin.ts';
import { cancelDeletion } from '../domain/manage-workspace.ts';
import { cancelDeletionRoute } from '../workspace-routes.ts';

const ports = workspacePorts();

const endpoint = pipeline(cancelDeletionRoute, http, async (request) => {
  await cancelDeletion(request.principal.workspaceId, originOf(request), ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
