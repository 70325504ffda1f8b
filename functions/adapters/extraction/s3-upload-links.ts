import { GetObjectCommand, PutObjectCommand, type S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { UploadLinks } from '../../extraction/domain/create-upload.ts';
import type { PictureLinks } from '../../extraction/domain/uploads.ts';
import { sniffImageType } from '../codecs/sniff-image-type.ts';
import { newS3Client } from '../s3/client.ts';
import { isMissing } from '../s3/missing.ts';
import { signedUrl } from '../s3/signed-url.ts';

/**
 * Presigned addresses of the uploads bucket. They can do what the signing function's role may, and no longer than its
 * credentials live; that is hours, which a PUT does not need and our own reading of an upload does not depend on.
 */
export class S3UploadLinks implements UploadLinks, PictureLinks {
  readonly #bucket: string;
  readonly #client: S3Client;

  /** @param options of the client, except that checksums are always off. */
  constructor(bucket: string, options: S3ClientConfig = {}) {
    this.#bucket = bucket;
    // By default the SDK signs a checksum of the body, here of none: S3 would then refuse every image that is put.
    this.#client = newS3Client({ ...options, requestChecksumCalculation: 'WHEN_REQUIRED' });
  }

  putLink(
    key: string,
    contentType: string | undefined,
    contentLength: number | undefined,
    expiresIn: number,
  ): Promise<string> {
    const command = new PutObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ContentType: contentType,
      ContentLength: contentLength,
    });
    // By default the SDK signs only the host. S3 refuses a request unless the signed headers arrive unchanged.
    // Without a content type of ours, its default must not be signed.
    const signableHeaders = new Set(['host', 'content-length', ...(contentType === undefined ? [] : ['content-type'])]);
    return signedUrl(this.#client, command, { expiresIn, signableHeaders });
  }

  /** By its first bytes: what callers claimed of it is not shown to browsers. */
  async pictureLink(key: string, expiresIn: number) {
    const Bucket = this.#bucket;
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ Bucket, Key: key, Range: 'bytes=0-63' }));
      const type = sniffImageType(await Body!.transformToByteArray());
      if (type === null) return null;
      const contentType = type === 'pdf' ? 'application/pdf' : `image/${type}`;
      const command = new GetObjectCommand({ Bucket, Key: key, ResponseContentType: contentType });
      return { url: await signedUrl(this.#client, command, { expiresIn }), contentType };
    } catch (error) {
      // Without the right to list the bucket, a missing object is 403.
      if (isMissing(error)) return null;
      throw error;
    }
  }

  getLink(key: string, expiresIn: number): Promise<string> {
    return signedUrl(this.#client, new GetObjectCommand({ Bucket: this.#bucket, Key: key }), { expiresIn });
  }
}
