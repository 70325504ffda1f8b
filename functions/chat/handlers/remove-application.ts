import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { removeApplicationRoute } from '../applications/routes.ts';
import { removeApplication } from '../domain/manage-applications.ts';
import { applications, http } from '../wiring.ts';

const ports = { applications: applications() };

const endpoint = pipeline(removeApplicationRoute, http, async ({ principal, params }) => {
  await removeApplication({ workspaceId: principal.workspaceId, applicationId: params.id }, ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
