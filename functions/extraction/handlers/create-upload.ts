import { ulidIds } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import { createUpload } from '../domain/create-upload.ts';
import { extractionManners } from '../http-manners.ts';
import { createUploadRoute } from '../routes.ts';

const { UPLOADS_BUCKET } = environment('UPLOADS_BUCKET');

const links = memoizeAsync(async () => {
  const { S3UploadLinks } = await import('../../adapters/extraction/s3-upload-links.ts');
  return new S3UploadLinks(UPLOADS_BUCKET);
});

export const handler = apiHandler(createUploadRoute, extractionManners, async ({ caller, body }) => {
  const order = { ...body, workspaceId: caller.workspaceId };
  return { status: 200, body: await createUpload(order, { links: await links(), ids: ulidIds }) };
});
