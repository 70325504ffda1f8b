import { originOf } from '../../accounts/audit-origin.ts';
import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/chat/chat.ts';
import { managePorts } from '../../wiring/chat/manage-applications.ts';
import { etagOf, toApplicationResponse, toConfigDraft } from '../applications/responses.ts';
import { createApplicationRoute } from '../applications/routes.ts';
import { createApplication } from '../domain/manage-applications.ts';

const ports = managePorts();

const endpoint = pipeline(createApplicationRoute, http, async ({ body, ...request }) => {
  const draft = { ...body, config: toConfigDraft(body.config) };
  const created = await createApplication(request.principal.workspaceId, draft, originOf(request), ports);
  const { applicationId } = created;
  return {
    ...envelopeReply(201, toApplicationResponse(created), 'The application is created.'),
    headers: { ...etagOf(created), location: `/api/v1/applications/${applicationId}` },
  };
});

export const handler = bufferedHandler(endpoint);
