import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { applications, http } from '../../wiring/chat/chat.ts';
import { toApplicationResponse } from '../applications/responses.ts';
import { listApplicationsRoute } from '../applications/routes.ts';
import { applicationPage } from '../domain/manage-applications.ts';

const ports = { applications: applications() };

const endpoint = pipeline(listApplicationsRoute, http, async ({ principal, query }) => {
  const { limit, cursor: before = null } = query;
  const page = await applicationPage(principal.workspaceId, { limit, before }, ports);
  const data = { applications: page.applications.map(toApplicationResponse), next_cursor: page.nextCursor };
  return envelopeReply(200, data, 'Applications, newest first.');
});

export const handler = bufferedHandler(endpoint);
