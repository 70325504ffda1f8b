import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { conversationPorts, http } from '../../wiring/chat/chat.ts';
import { getResponseRoute } from '../responses-api/routes.ts';
import { storedResponse } from '../responses-api/stored-response.ts';

const ports = conversationPorts();

const endpoint = pipeline(getResponseRoute, http, async ({ principal, params }) => {
  const application = { workspaceId: principal.workspaceId, applicationId: params.application_id };
  const id = { ...application, caller: principal, responseId: params.response_id };
  return { status: 200, body: await storedResponse(id, ports) };
});

export const handler = bufferedHandler(endpoint);
