import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { environment } from '../../shared/environment.ts';
import { withoutCallLog } from '../shared/without-call-log.ts';

let shared: S3Client | undefined;

/** One client, and one pool of connections, for all adapters of a runtime. */
export function s3Client(): S3Client {
  shared ??= newS3Client();
  return shared;
}

export function newS3Client(config: S3ClientConfig = {}): S3Client {
  const { AWS_ENDPOINT_URL_S3 } = environment('AWS_ENDPOINT_URL_S3');
  // Another S3 than Amazon's, the embedded one for example, has no host name for each bucket.
  return withoutCallLog(new S3Client({ forcePathStyle: AWS_ENDPOINT_URL_S3 !== undefined, ...config }));
}
