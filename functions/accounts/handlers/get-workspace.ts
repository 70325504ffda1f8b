import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, workspacePorts } from '../../wiring/accounts/accounts.ts';
import { workspaceOf } from '../domain/manage-workspace.ts';
import { toWorkspaceResponse } from '../workspace-responses.ts';
import { getWorkspaceRoute } from '../workspace-routes.ts';

const ports = workspacePorts();

const endpoint = pipeline(getWorkspaceRoute, http, async ({ principal }) =>
  envelopeReply(200, toWorkspaceResponse(await workspaceOf(principal.workspaceId, ports)), 'The workspace.'),
);

export const handler = bufferedHandler(endpoint);
