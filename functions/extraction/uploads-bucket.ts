import { environment } from '../shared/environment.ts';
import { memoizeAsync } from '../shared/memoize-async.ts';
import type { ImageStore } from './domain/batch/job-ports.ts';

/** The bucket of uploads, for those who put something there or read it as their own. */
export function uploadsBucket(): ImageStore {
  const { UPLOADS_BUCKET } = environment('UPLOADS_BUCKET');
  // S3's client is as much to load as all the rest; a batch of addresses alone does without.
  const store = memoizeAsync(async () => {
    const [{ S3ImageStore }, { s3Client }] = await Promise.all([
      import('../adapters/extraction/s3-image-store.ts'),
      import('../adapters/s3/client.ts'),
    ]);
    return new S3ImageStore(UPLOADS_BUCKET, s3Client());
  });
  return { put: async (key, bytes) => (await store()).put(key, bytes), get: async (key) => (await store()).get(key) };
}
