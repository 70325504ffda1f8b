import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { conversationPorts, http } from '../../wiring/chat/chat.ts';
import { listInputItemsRoute } from '../responses-api/routes.ts';
import { listInputItems } from '../responses-api/stored-response.ts';

const ports = conversationPorts();

const endpoint = pipeline(listInputItemsRoute, http, async ({ principal, params, query }) => {
  const application = { workspaceId: principal.workspaceId, applicationId: params.application_id };
  const id = { ...application, caller: principal, responseId: params.response_id };
  return { status: 200, body: await listInputItems(id, query, ports) };
});

export const handler = bufferedHandler(endpoint);
