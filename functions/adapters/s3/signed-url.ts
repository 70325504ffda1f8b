import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { environment } from '../../shared/environment.ts';
import { memoize } from '../../shared/memoize.ts';
import { newS3Client } from './client.ts';

const publicClient = memoize(() => {
  const { S3_PUBLIC_URL } = environment('S3_PUBLIC_URL');
  return S3_PUBLIC_URL === undefined
    ? null
    : newS3Client({ endpoint: S3_PUBLIC_URL, requestChecksumCalculation: 'WHEN_REQUIRED' });
});

/** A presigned address under the name by which clients reach S3; the service itself may have a shorter way to it. */
export const signedUrl: typeof getSignedUrl = (client, command, options) =>
  getSignedUrl((publicClient() ?? client) as typeof client, command, options);
