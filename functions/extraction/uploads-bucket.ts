import { S3Client } from '@aws-sdk/client-s3';
import { S3ImageStore } from '../adapters/aws/s3-image-store.ts';
import { environment } from '../shared/environment.ts';

/** The bucket of uploads, for those who put something there or read it as their own. */
export function uploadsBucket(): S3ImageStore {
  const { UPLOADS_BUCKET, TRIPOD_LOCAL } = environment('UPLOADS_BUCKET', 'TRIPOD_LOCAL');
  // The embedded S3 has no host name for each bucket.
  return new S3ImageStore(UPLOADS_BUCKET, new S3Client({ forcePathStyle: TRIPOD_LOCAL }));
}
