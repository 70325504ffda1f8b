import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { conversationPorts, http } from '../../wiring/chat/chat.ts';
import { cancelResponseRoute } from '../responses-api/routes.ts';
import { cancelResponse } from '../responses-api/stored-response.ts';

const ports = conversationPorts();

const endpoint = pipeline(cancelResponseRoute, http, async ({ principal, params }) => {
  const application = { workspaceId: principal.workspaceId, applicationId: params.application_id };
  const id = { ...application, caller: principal, responseId: params.response_id };
  return cancelResponse(id, ports);
});

export const handler = bufferedHandler(endpoint);
