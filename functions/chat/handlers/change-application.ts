import { originOf } from '../../accounts/audit-origin.ts';
import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/chat/chat.ts';
import { managePorts } from '../../wiring/chat/manage-applications.ts';
import { etagOf, toApplicationChange, toApplicationResponse } from '../applications/responses.ts';
import { changeApplicationRoute } from '../applications/routes.ts';
import { changeApplication } from '../domain/manage-applications.ts';

const ports = managePorts();

const endpoint = pipeline(changeApplicationRoute, http, async ({ params, headers, body, ...request }) => {
  const id = { workspaceId: request.principal.workspaceId, applicationId: params.id };
  const changed = await changeApplication(id, toApplicationChange(body, headers['if-match']), originOf(request), ports);
  return {
    ...envelopeReply(200, toApplicationResponse(changed), 'The application is changed.'),
    headers: etagOf(changed),
  };
});

export const handler = bufferedHandler(endpoint);
