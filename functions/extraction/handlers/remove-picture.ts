import { originOf } from '../../accounts/audit-origin.ts';
import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { deletePorts, http } from '../../wiring/extraction/extraction.ts';
import { deletePicture } from '../domain/delete-results.ts';
import { noPicture } from '../http-errors.ts';
import { removePictureRoute } from '../picture-routes.ts';

const ports = deletePorts();

const endpoint = pipeline(removePictureRoute, http, async ({ params, ...request }) => {
  if (!(await deletePicture(request.principal.workspaceId, params.id, originOf(request), ports))) throw noPicture();
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
