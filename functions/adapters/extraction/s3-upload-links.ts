import { GetObjectCommand, PutObjectCommand, type S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { UploadLinks } from '../../extraction/domain/create-upload.ts';
import { newS3Client } from '../s3/client.ts';

/**
 * Presigned addresses of the uploads bucket. They can do what the signing function's role may, and no longer than its
 * credentials live; that is hours, which a PUT does not need and our own reading of an upload does not depend on.
 */
export class S3UploadLinks implements UploadLinks {
  readonly #bucket: string;
  readonly #client: S3Client;

  /** @param options of the client; a checksum is never asked for, whatever they say. */
  constructor(bucket: string, options: S3ClientConfig = {}) {
    this.#bucket = bucket;
    // By default the SDK signs a checksum of the body, here of none: S3 would then refuse every image that is put.
    this.#client = newS3Client({ ...options, requestChecksumCalculation: 'WHEN_REQUIRED' });
  }

  putLink(key: string, contentType: string, contentLength: number | undefined, expiresIn: number): Promise<string> {
    const command = new PutObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ContentType: contentType,
      ContentLength: contentLength,
    });
    // Left to itself the SDK signs the host alone. What is signed must be sent as it is, or S3 refuses it.
    const signableHeaders = new Set(['host', 'content-type', 'content-length']);
    return getSignedUrl(this.#client, command, { expiresIn, signableHeaders });
  }

  getLink(key: string, expiresIn: number): Promise<string> {
    return getSignedUrl(this.#client, new GetObjectCommand({ Bucket: this.#bucket, Key: key }), { expiresIn });
  }
}
