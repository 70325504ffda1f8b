import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { applications, http } from '../../wiring/chat/chat.ts';
import { etagOf, toApplicationResponse } from '../applications/responses.ts';
import { getApplicationRoute } from '../applications/routes.ts';
import { findApplication } from '../domain/manage-applications.ts';

const ports = { applications: applications() };

const endpoint = pipeline(getApplicationRoute, http, async ({ principal, params }) => {
  const found = await findApplication({ workspaceId: principal.workspaceId, applicationId: params.id }, ports);
  return { ...envelopeReply(200, toApplicationResponse(found), 'The application.'), headers: etagOf(found) };
});

export const handler = bufferedHandler(endpoint);
