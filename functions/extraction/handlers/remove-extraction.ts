import { originOf } from '../../accounts/audit-origin.ts';
import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { deletePorts, http } from '../../wiring/extraction/extraction.ts';
import { deleteExtraction } from '../domain/delete-results.ts';
import { notFound } from '../http-errors.ts';
import { removeExtractionRoute } from '../routes.ts';

const ports = deletePorts();

const endpoint = pipeline(removeExtractionRoute, http, async ({ params, ...request }) => {
  const { workspaceId } = request.principal;
  if (!(await deleteExtraction(workspaceId, params.id, originOf(request), ports)))
    throw notFound('extraction', params.id);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
