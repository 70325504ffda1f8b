import { S3ServiceException } from '@aws-sdk/client-s3';

/** Without the right to list the bucket, a missing object is 403. */
export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && [403, 404].includes(error.$metadata.httpStatusCode ?? 0);
}
