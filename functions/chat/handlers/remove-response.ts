import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { conversationPorts, http, sessionRuns } from '../../wiring/chat/chat.ts';
import { removeResponseRoute } from '../responses-api/routes.ts';
import { removeResponse } from '../responses-api/stored-response.ts';

const ports = { ...conversationPorts(), runs: sessionRuns };

const endpoint = pipeline(removeResponseRoute, http, async ({ principal, params }) => {
  const application = { workspaceId: principal.workspaceId, applicationId: params.application_id };
  const id = { ...application, caller: principal, responseId: params.response_id };
  await removeResponse(id, ports);
  return { status: 200, body: { id: params.response_id, object: 'response', deleted: true } };
});

export const handler = bufferedHandler(endpoint);
