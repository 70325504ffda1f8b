import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, requiresLength, uploadPorts } from '../../wiring/extraction/extraction.ts';
import { createUpload } from '../domain/create-upload.ts';
import { createUploadRoute } from '../routes.ts';

const ports = uploadPorts();

const endpoint = pipeline(createUploadRoute, http, async ({ principal, body }) => {
  const order = { ...body, workspaceId: principal.workspaceId };
  return { status: 200, body: await createUpload(order, { ...ports, requiresLength: requiresLength() }) };
});

export const handler = bufferedHandler(endpoint);
