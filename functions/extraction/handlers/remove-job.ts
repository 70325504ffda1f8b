import { originOf } from '../../accounts/audit-origin.ts';
import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { deletePorts, http } from '../../wiring/extraction/extraction.ts';
import { deleteJob } from '../domain/delete-results.ts';
import { notFound } from '../http-errors.ts';
import { removeJobRoute } from '../routes.ts';

const ports = deletePorts();

const endpoint = pipeline(removeJobRoute, http, async ({ params, ...request }) => {
  const { workspaceId } = request.principal;
  if (!(await deleteJob(workspaceId, params.id, originOf(request), ports))) throw notFound('job', params.id);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
