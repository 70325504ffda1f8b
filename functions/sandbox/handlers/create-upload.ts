import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, inputUploadLinks } from '../../wiring/sandbox/sandbox.ts';
import { createInputUpload, UPLOAD_SECONDS } from '../domain/input-uploads.ts';
import { createInputUploadRoute } from '../routes.ts';

const ports = inputUploadLinks();

const endpoint = pipeline(createInputUploadRoute, http, async ({ principal: { workspaceId }, body: { size } }) => {
  const uploadUrl = await createInputUpload({ workspaceId, size }, ports);
  return { status: 200, body: { upload_url: uploadUrl, expires_in: UPLOAD_SECONDS } };
});

export const handler = bufferedHandler(endpoint);
