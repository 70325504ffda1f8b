import { originOf } from '../../accounts/audit-origin.ts';
import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { changePorts, http } from '../../wiring/chat/chat.ts';
import { removeApplicationRoute } from '../applications/routes.ts';
import { removeApplication } from '../domain/manage-applications.ts';

const ports = changePorts();

const endpoint = pipeline(removeApplicationRoute, http, async ({ params, ...request }) => {
  await removeApplication(
    { workspaceId: request.principal.workspaceId, applicationId: params.id },
    originOf(request),
    ports,
  );
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
